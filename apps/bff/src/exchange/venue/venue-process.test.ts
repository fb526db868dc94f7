import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from '@l4desk/runtime/node';
import { temporaryDirectory, until } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../log/log.ts';
import { startVenue, VenueStartError, venueEnvironment } from './venue-process.ts';

/** A fake venue that listens, reports ready, and behaves as its environment or a request tells it. */
const FAKE_VENUE = `
import { createServer } from 'node:http';
const { FAKE, VENUE_HOST, VENUE_PORT, VENUE_CONTROL_PORT, VENUE_CONTROL_FALLBACK } = process.env;
if (FAKE === 'refuse') {
  process.stderr.write('VENUE_SEED cannot be that\\n');
  process.exit(2);
}
console.log('a line of output');
const listen = (port, respond, mayFallBack) => new Promise((resolve) => {
  const server = createServer((request, response) => respond(request, response));
  if (mayFallBack) server.once('error', () => server.listen(0, VENUE_HOST));
  server.listen(Number(port), VENUE_HOST, () => resolve(server.address().port));
});
const port = await listen(VENUE_PORT, (request, response) => response.end(JSON.stringify({ pid: process.pid, seed: process.env.VENUE_SEED, control: VENUE_CONTROL_PORT, fallback: VENUE_CONTROL_FALLBACK })));
const control = await listen(VENUE_CONTROL_PORT, () => process.exit(7), VENUE_CONTROL_FALLBACK === '1');
const at = 'http://127.0.0.1:';
process.send({ kind: 'ready', infoUrl: at + port + '/info', l4Url: 'ws://127.0.0.1:' + port + '/ws', channelsUrl: 'ws://127.0.0.1:' + port + '/exchange/ws', controlUrl: at + control, source: { kind: 'recorded', from: 1, to: 2 } });
process.once('disconnect', () => process.exit(0));
if (FAKE !== 'stubborn') process.once('SIGTERM', () => process.exit(0));
else process.on('SIGTERM', () => {});
`;

let program: string;

beforeEach(async () => {
  const directory = await temporaryDirectory();
  program = join(directory.path, 'venue.mjs');
  writeFileSync(program, FAKE_VENUE);
  return () => directory[Symbol.asyncDispose]();
});

function start(environment: Variables = {}) {
  const logs: string[] = [];
  const log = createLog('info', { write: (line) => void logs.push(line) });
  const venue = startVenue({
    program,
    environment: { ...process.env, VENUE_CONTROL_PORT: '0', ...environment },
    log,
    random: () => 1,
  });
  return { venue, logs };
}

const visit = async (url: string) =>
  (await fetch(url)).json() as Promise<{
    readonly pid: number;
    readonly seed?: string;
    readonly control: string;
    readonly fallback: string;
  }>;

const isGone = async (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

const controlOf = (logs: readonly string[]) =>
  logs
    .map((line) => JSON.parse(line) as { readonly msg: string; readonly control?: string })
    .find((line) => line.msg === 'venue ready')?.control ?? '';

describe('the venue of the service', () => {
  it('runs on loopback with its settings, and ends with the service', async () => {
    const { venue, logs } = start({ VENUE_SEED: 'tuesday', VENUE_HOST: '0.0.0.0' });
    const { infoUrl, l4Url, source, [Symbol.asyncDispose]: end } = await venue;
    expect(source).toEqual({ kind: 'recorded', from: 1, to: 2 });
    expect(infoUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/info$/);
    expect(l4Url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/ws$/);
    const { pid, seed } = await visit(infoUrl);
    expect(seed).toBe('tuesday');
    await until('its output is in the log', () => logs.some((line) => line.includes('a line of output')));
    await end();
    expect(await isGone(pid)).toBe(true);
    expect(logs.some((line) => line.includes('venue exited'))).toBe(false);
  });

  it('is restarted on the same ports when it exits', async () => {
    const { venue, logs } = start();
    await using running = await venue;
    const { pid } = await visit(running.infoUrl);
    await fetch(controlOf(logs)).catch(() => {});
    const next = await until('another one responds', async () => {
      const response = await visit(running.infoUrl).catch(() => undefined);
      return response !== undefined && response.pid !== pid && response.pid;
    });
    expect(next).not.toBe(pid);
    expect(logs.some((line) => line.includes('"code":7') && line.includes('venue exited'))).toBe(true);
  });

  it('is killed if it does not exit', async () => {
    const { venue } = start({ FAKE: 'stubborn' });
    const { infoUrl, [Symbol.asyncDispose]: end } = await venue;
    const { pid } = await visit(infoUrl);
    await end();
    expect(await isGone(pid)).toBe(true);
  });

  it('rejects with the venue’s own output if it cannot start', async () => {
    const { venue } = start({ FAKE: 'refuse' });
    const error: unknown = await venue.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(VenueStartError);
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining('VENUE_SEED cannot be that') });
  });
});

it('passes the simulated exchange its own settings and those of Node, and no secrets', () => {
  const environment = {
    PATH: '/bin',
    NODE_OPTIONS: '--max-old-space-size=100',
    VENUE_SEED: '1',
    VENUE_PACE: '',
    METRICS_KEY: 'secret',
    UPSTREAM_API_KEY: 'secret',
    DATABASE_URL: 'postgres://secret',
    HOME: '/root',
    MY_VENUE_KEY: 'secret',
    MY_PATH: 'secret',
  };
  const envFile = { VENUE_SEED: '2', VENUE_PACE: '4', METRICS_KEY: 'secret', PATH: '/evil', NODE_OPTIONS: '--evil' };
  expect(venueEnvironment(environment, envFile)).toEqual({
    PATH: '/bin',
    NODE_OPTIONS: '--max-old-space-size=100',
    VENUE_SEED: '1',
    VENUE_PACE: '4',
  });
});
