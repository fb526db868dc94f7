import type { DataSource } from '@l4desk/protocol';
import { CaptureError } from './capture/capture-error.ts';
import { startVenue, type Venue, type VenueUrls } from './server.ts';
import { describeSettings, readSettings, SettingsError, unknownSettings } from './settings.ts';

/** Exit code if invalid settings, a bad capture or a taken port prevent the start. */
const CANNOT_START = 2;

/** Message sent to a parent process over its channel once the venue listens. */
export interface ReadyMessage extends VenueUrls {
  readonly kind: 'ready';
  readonly source: DataSource;
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`The simulated exchange. Settings, from the environment:\n${describeSettings()}\n`);
    return;
  }
  for (const name of unknownSettings(process.env)) process.stderr.write(`venue: unknown setting ${name}\n`);
  let venue: Venue;
  try {
    venue = await startVenue(readSettings(process.env));
  } catch (error) {
    process.stderr.write(`venue: ${problemOf(error)}\n`);
    process.exitCode = CANNOT_START;
    process.disconnect?.();
    return;
  }
  const { infoUrl, l4Url, channelsUrl, controlUrl, source } = venue;
  const stop = () => {
    void venue[Symbol.asyncDispose]().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // A child must not outlive the process that started it.
  process.once('disconnect', stop);
  if (process.send === undefined) {
    process.stdout.write(`venue: info ${infoUrl}, l4Book ${l4Url}, control ${controlUrl}\n`);
  } else {
    process.send({ kind: 'ready', infoUrl, l4Url, channelsUrl, controlUrl, source } satisfies ReadyMessage);
  }
}

function problemOf(error: unknown): string {
  if (error instanceof SettingsError || error instanceof CaptureError) return error.message;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await main();
