import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = join(ROOT, 'apps/venue/dist/main.js');
const FREE_PORTS = { VENUE_PORT: '0', VENUE_CONTROL_PORT: '0', VENUE_COINS: 'XRP', VENUE_SIZE: '0.02' };

beforeAll(async () => {
  const script = join(ROOT, 'scripts/build.mjs');
  const building = spawn(process.execPath, [script, 'venue'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(building, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the build ended with ${code}`);
});

/** Runs the program until it exits. */
async function run(env: Record<string, string>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...FREE_PORTS, ...env } });
  const [out, err, exit] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code: exit[0] as number | null };
}

function start(env: Record<string, string> = {}): ChildProcess {
  return fork(PROGRAM, { env: { ...process.env, ...FREE_PORTS, ...env }, silent: true });
}

describe('the program', () => {
  it('as a child reports its addresses and its source to its parent, and exits when the channel closes', async () => {
    const child = start();
    const [ready] = (await once(child, 'message')) as [
      { readonly kind: string; readonly controlUrl: string; readonly source: unknown },
    ];
    expect(Object.keys(ready)).toEqual(['kind', 'infoUrl', 'l4Url', 'channelsUrl', 'controlUrl', 'source']);
    expect(ready.source).toEqual({ kind: 'simulated' });
    expect(ready.kind).toBe('ready');
    expect((await fetch(`${ready.controlUrl}/state`)).status).toBe(200);
    const ended = once(child, 'exit');
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  });

  it('on its own prints one line with its addresses and exits on SIGTERM', async () => {
    const child = spawn(process.execPath, [PROGRAM], { env: { ...process.env, ...FREE_PORTS } });
    const ended = once(child, 'exit');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(line.toString()).toMatch(
      /^venue: info http:\S+\/info, l4Book ws:\S+\/ws, control http:\/\/127\.0\.0\.1:\d+\n$/,
    );
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('on a taken port reports it and exits with 2', async () => {
    const child = start();
    const [ready] = (await once(child, 'message')) as [Record<string, string>];
    const { err, code } = await run({ VENUE_PORT: new URL(ready.infoUrl ?? '').port });
    expect(err).toMatch(/^venue: listen EADDRINUSE.*\n$/);
    expect(code).toBe(2);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('names a variable that is none of its settings, and starts', async () => {
    const child = start({ VENUE_PROT: '4499' });
    if (child.stderr === null) throw new Error('its output is piped');
    const [[line]] = (await Promise.all([once(child.stderr, 'data'), once(child, 'message')])) as [[Buffer], unknown];
    expect(line.toString()).toBe('venue: unknown setting VENUE_PROT\n');
    const ended = once(child, 'exit');
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  });
});
