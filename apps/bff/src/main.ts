import { resolve } from 'node:path';
import { makeDirectory, readEnvFile } from '@l4desk/runtime/node';
import { problemsText, readSettings, type SettingProblem, settingsHelp } from './config/read-settings.ts';
import { SETTINGS, type Settings } from './config/settings.ts';
import { VenueStartError, venueEnvironment } from './exchange/venue/venue-process.ts';
import { createLog, flushLog, standardError } from './log/log.ts';
import { start } from './start.ts';

/** How long calls and sockets may take to finish after a signal; the whole shutdown stays within 10 s. */
const GRACE_MS = 5000;

/** The process exits after this long even if the shutdown hangs. */
const SHUTDOWN_MS_MAX = 9500;

/** Exit codes: 1 for a failure, 2 for unusable settings. */
const FAILURE = 1;
const USAGE = 2;

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(settingsHelp(process.env.L4DESK_COMMAND));
    return;
  }
  if (args.length > 0) return fail(`Unknown argument. Settings are environment variables; see --help.\n`, USAGE);

  const envFile = readEnvFile('.env');
  if (typeof envFile === 'string') return fail(`${envFile}\n`, USAGE);
  const result = readSettings(process.env, envFile);
  if (result.kind === 'problems') return fail(problemsText(result.problems, process.env.L4DESK_COMMAND), USAGE);
  const { settings, warnings } = result;
  const problem = createDataDirectory(settings);
  // Not USAGE: it may be there at another start, for example on a disk that is mounted late.
  if (problem !== undefined) return fail(problemsText([problem], process.env.L4DESK_COMMAND), FAILURE);
  const destination = standardError();
  const log = createLog(settings.LOG_LEVEL, destination);
  /** Exits without writing the rest of the log, which pino would otherwise try for as long as the disk is full. */
  const exit = (code: number) => {
    destination.destroy();
    process.exit(code);
  };
  // The reader of standard output may have exited; the service keeps running.
  process.stdout.on('error', (error) => log.warn({ err: error }, 'writing to standard output failed'));
  for (const warning of warnings) log.warn(warning);

  const stop = new AbortController();
  let isShuttingDown = false;
  const shutDown = async (code: number): Promise<void> => {
    if (isShuttingDown) return;
    isShuttingDown = true;
    stop.abort();
    setTimeout(() => {
      log.error('shutdown timed out, exiting');
      exit(code);
    }, SHUTDOWN_MS_MAX).unref();
    try {
      const running = await starting.catch((error: unknown) => {
        // The start was still waiting, for a database for example, and was aborted.
        if (error instanceof Error && error.name === 'AbortError') return null;
        throw error;
      });
      await running?.close(GRACE_MS);
      log.info('stopped');
    } catch (error) {
      log.error({ err: error }, 'shutdown failed');
    }
    await flushLog(destination);
    exit(code);
  };
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    void shutDown(FAILURE);
  });
  // Installed before anything is started, so that a signal during the start leaves no processes behind.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      log.info({ signal }, 'stopping');
      void shutDown(0);
    });

  const starting = start({
    settings,
    environment: venueEnvironment(process.env, envFile),
    log,
    logHealth: () => destination.health(),
    stop: stop.signal,
    print: (line) => process.stdout.write(`${line}\n`),
    onFatal: (error) => {
      log.fatal({ err: error }, 'essential component failed');
      void shutDown(FAILURE);
    },
  });
  try {
    await starting;
  } catch (error) {
    if (isShuttingDown) return;
    const message = error instanceof Error ? error.message : String(error);
    log.fatal({ err: error }, 'start failed');
    await flushLog(destination);
    destination.destroy();
    fail(
      `L4 Desk could not start. ${startHint(error, settings.PORT) ?? message}\n`,
      error instanceof VenueStartError && error.exitCode === USAGE ? USAGE : FAILURE,
    );
  }
}

function createDataDirectory({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): SettingProblem | undefined {
  try {
    makeDirectory(DATA_DIR);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const problem = `cannot be created: ${resolve(DATA_DIR)} (${code})`;
    return { name: 'DATA_DIR', problem, example: SETTINGS.DATA_DIR.example };
  }
}

function startHint(error: unknown, port: number): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use: set PORT to another port, or to 0 for a free one.`;
  if (code === 'EACCES') return `Port ${port} requires privileges: set PORT to a port above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST is not a local address: set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.';
  return undefined;
}

function fail(text: string, code: number): void {
  process.stderr.write(text);
  process.exit(code);
}

await main();
