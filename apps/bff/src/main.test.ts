import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { builtProgram, temporaryDirectory, until } from '@l4desk/testkit';
import { http, postJson } from '@l4desk/testkit/service';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let program: string;
let cli: string;

beforeAll(async () => {
  program = await builtProgram('bff', 'cli', 'venue');
  cli = join(program, '..', '..', '..', 'cli', 'dist', 'main.js');
});

let directory: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  const temporary = await temporaryDirectory();
  directory = temporary.path;
  return () => temporary[Symbol.asyncDispose]();
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
});

interface Run {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
}

/** Runs a bundle in the test's directory, with a small simulated exchange. `stderr` is a file descriptor or a pipe. */
function run(
  bundle: string,
  env: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
  stderr: number | 'pipe' = 'pipe',
): Run {
  // A loaded machine may need long to build a book. How long a call waits is tested elsewhere.
  const patient = { BOOK_READY_TIMEOUT_MS: '60000' };
  const small = { VENUE_SIZE: '0.01', VENUE_COINS: 'BTC,ETH', VENUE_CONTROL_PORT: '0' };
  const child = spawn(process.execPath, [bundle, ...words], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: join(directory, 'data'), ...patient, ...small, ...env },
    stdio: ['ignore', 'pipe', stderr],
  });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, out: () => out, err: () => err, ended };
}

const ready = (running: Run) =>
  until(
    () => `ready; it wrote ${running.err()}`,
    () => / ready at (\S+)\n/.exec(running.out())?.[1],
  );

describe('a start in demo mode', () => {
  it('[OPS-4] prints two plain lines once ready, serves a book after sign-in by the link, and shuts down cleanly', async () => {
    const running = run(program);
    const url = await ready(running);
    expect((await http(`${url}/readyz`)).status).toBe(200);
    const [, link = ''] = /^Sign in: (\S+)\nL4 Desk ready at \S+\n$/.exec(running.out()) ?? [];
    expect(link.startsWith(`${url}/sign-in#token=`)).toBe(true);

    const origin = url;
    const signedIn = await postJson(`${url}/session`, { token: link.split('#token=')[1] }, { origin });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const snapshot = await postJson(`${url}/info`, { type: 'l4BookSnapshot', coin: 'BTC' }, { origin, cookie });
    expect(snapshot.json()).toMatchObject({ coin: 'BTC', levels: [expect.any(Array), expect.any(Array)] });

    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    const lines = running.err().trimEnd().split('\n');
    const log = lines.map((line) => JSON.parse(line) as { readonly msg: string });
    expect(log.at(-1)?.msg).toBe('stopped');
    expect(running.err()).not.toContain(link.split('#token=')[1]);
    expect(running.err()).not.toContain(cookie.split('=')[1]);
    expect(running.out().split('\n')).toHaveLength(3);
  });

  it('is found by the CLI with the same settings until it is killed, which leaves no venue, and a key created there works at once', async () => {
    const running = run(program);
    const url = await ready(running);
    const made = run(cli, {}, ['keys', 'create', '--kind', 'api', '--account', 'demo', '--json']);
    expect(await made.ended).toBe(0);
    const { key } = JSON.parse(made.out()) as { readonly key: string };
    const ask = { type: 'l4BookSnapshot', coin: 'ETH' };
    expect((await postJson(`${url}/info`, ask, { authorization: `Bearer ${key}` })).status).toBe(200);
    const verified = run(cli, { L4DESK_KEY: key }, ['verify', 'BTC', '--seconds', '0', '--json']);
    expect([await verified.ended, verified.err()]).toEqual([0, '']);
    expect(JSON.parse(verified.out())).toMatchObject([{ coin: 'BTC', verdict: 'equal' }]);
    expect(running.err()).not.toContain(key);
    const info = /"info":"([^"]+)"/.exec(running.err())?.[1] ?? '';
    expect((await postJson(info, { type: 'meta' })).status).toBe(200);
    running.child.kill('SIGKILL');
    await until('the venue is gone', () =>
      postJson(info, { type: 'meta' }).then(
        () => false,
        () => true,
      ),
    );
    const late = run(cli, { L4DESK_KEY: key }, ['tail', 'BTC']);
    expect(await late.ended).toBe(3);
    expect(late.err()).toContain('No service is running on the data directory');
    expect(late.err()).not.toContain(url);
  });

  it('ends on a signal during the start', async () => {
    // A full-size exchange takes longer to start than the signal takes to arrive.
    const running = run(program, { VENUE_SIZE: '1' });
    await until('it has begun', () => running.err().includes('"starting"'));
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(running.out()).toBe('');
  });
});

describe('the service continues, and ends on SIGTERM,', () => {
  it('while it waits for its database', async () => {
    const running = run(program, { DATABASE_URL: 'postgres://127.0.0.1:9/l4desk' });
    await until('it has tried', () => running.err().includes('cannot be reached'));
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(running.err()).not.toContain('"level":"error"');
    expect(running.err().trimEnd().endsWith('"msg":"stopped"}')).toBe(true);
  });

  const lost = async (url: string, event: string) =>
    Number(
      new RegExp(`^l4desk_log_events_total{event="${event}"} (\\d+)$`, 'm').exec(
        (await http(`${url}/metrics`)).text,
      )?.[1],
    );

  it('when the disk of its log is full', async () => {
    const path = join(directory, 'log');
    writeFileSync(path, '');
    // Without /dev/full, as on other systems than Linux, a read-only descriptor makes writes fail.
    const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : openSync(path, 'r');
    const running = run(program, { LOG_LEVEL: 'debug' }, [], full);
    closeSync(full);
    const url = await ready(running);
    expect((await http(`${url}/nowhere`)).status).toBe(404);
    await until('failed writes are counted', async () => (await lost(url, 'writeErrors')) > 0);
    for (let lines = 0; lines < 100; lines += 1) await http(`${url}/nowhere`);
    expect((await http(`${url}/healthz`)).status).toBe(200);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  });

  it('when nobody reads its log', async () => {
    const running = run(program, { LOG_LEVEL: 'debug' });
    const url = await ready(running);
    running.child.stderr?.pause();
    const ROUND = 32;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    // Quotes are logged as two characters each, so that fewer requests fill what the log may hold.
    const requests = `GET /${'"'.repeat(99)} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(ROUND);
    await until('lines are dropped', async () => {
      for (let round = 0; round < 30; round += 1) {
        socket.write(requests);
        for (let text = ''; text.split('HTTP/1.1 404').length <= ROUND; ) {
          const [data] = (await once(socket, 'data')) as [Buffer];
          text += data.toString('latin1');
        }
      }
      return (await lost(url, 'linesDropped')) > 0;
    });
    socket.destroy();
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
    expect(running.child.exitCode).toBe(0);
  });

  it('when its standard output is closed, and then the reader of its log exits', async () => {
    const running = run(program, { LOG_LEVEL: 'debug' });
    running.child.stdout?.destroy();
    await until('it is told', () => running.err().includes('writing to standard output failed'));
    const [, url = ''] = /"url":"([^"]+)"/.exec(running.err()) ?? [];
    expect((await http(`${url}/readyz`)).status).toBe(200);
    running.child.stderr?.destroy();
    await until('the loss is counted', async () => {
      await http(`${url}/nowhere`);
      return (await lost(url, 'linesDropped')) > 0;
    });
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  });
});

/** An exchange that cannot be reached, where no simulated one is needed. */
const nowhere = { UPSTREAM_INFO_URL: 'http://127.0.0.1:9/info', UPSTREAM_L4_URL: 'ws://127.0.0.1:9/ws' };

describe('a start with a real exchange', () => {
  it('waits for the upstream and prints one line', async () => {
    const venue = run(join(program, '..', '..', '..', 'venue', 'dist', 'main.js'), { VENUE_PORT: '0' });
    const [, info = '', l4 = ''] = await until(
      'the venue listens',
      () => /info (\S+), l4Book (\S+),/.exec(venue.out()) ?? undefined,
    );
    const running = run(program, { UPSTREAM: 'exchange', UPSTREAM_INFO_URL: info, UPSTREAM_L4_URL: l4 });
    const url = await ready(running);
    expect(running.out()).toBe(`L4 Desk ready at ${url}\n`);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    venue.child.kill('SIGTERM');
    expect(await venue.ended).toBe(0);
  });

  it('prints nothing while the upstream is unreachable, and logs what is missing', async () => {
    const running = run(program, { UPSTREAM: 'exchange', ...nowhere });
    await until('it has tried', () => running.err().includes('loading the list of coins failed'));
    expect(running.out()).toBe('');
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  });
});

describe('a start that fails', () => {
  const plain = (running: Run) =>
    running
      .err()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{'));

  it('names invalid settings with problem and example, and exits with code 2', async () => {
    const running = run(program, { PORT: 'x', ROLE: 'everything' });
    expect(await running.ended).toBe(2);
    expect(running.out()).toBe('');
    expect(plain(running)).toEqual([
      'Invalid settings:',
      '  PORT must be a whole number from 0 to 65535. Example: PORT=4400',
      '  ROLE must be all, sequencer, gateway. Example: ROLE=gateway',
      'All settings: npm start -- --help',
    ]);
  });

  it.each([
    ['a text with a byte order mark', Buffer.from('\uFEFFLOG_LEVEL=shout\r\n'), 'LOG_LEVEL must be trace'],
    ['UTF-16', Buffer.from('\uFEFFLOG_LEVEL=shout\r\n', 'utf16le'), 'The file .env must be encoded in UTF-8.'],
  ])('reads a .env that is a text in UTF-8, and reports any other: %s', async (_, bytes, problem) => {
    writeFileSync(join(directory, '.env'), bytes);
    const running = run(program);
    expect(await running.ended).toBe(2);
    expect(plain(running).join('\n')).toContain(problem);
  });

  it('names a damaged capture', async () => {
    const capture = join(directory, 'capture');
    mkdirSync(capture);
    writeFileSync(join(capture, 'snapshot_1.json.gz'), 'no gzip');
    const running = run(program, { VENUE_CAPTURE: capture });
    expect(await running.ended).toBe(2);
    expect(plain(running).join('\n')).toContain('capture');
  });

  it('names a port that is in use, exits with code 1 and leaves nothing running', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const running = run(program, { PORT: port });
    expect(await running.ended).toBe(1);
    expect(plain(running)).toEqual([
      `L4 Desk could not start. Port ${port} is in use: set PORT to another port, or to 0 for a free one.`,
    ]);
    await new Promise((resolve) => blocker.close(resolve));
  });

  it('says that HOST must be an address of this machine', async () => {
    const running = run(program, { HOST: '203.0.113.9', UPSTREAM: 'exchange', ...nowhere });
    expect(await running.ended).toBe(1);
    expect(plain(running).join('')).toContain('HOST is not a local address: set HOST to');
  });

  it('names a data directory that cannot be created, and exits with code 1: it may only be mounted later', async () => {
    writeFileSync(join(directory, 'file'), '');
    const path = join(directory, 'file', 'data');
    const running = run(program, { DATA_DIR: path });
    expect(await running.ended).toBe(1);
    expect(plain(running)).toEqual([
      'Invalid settings:',
      `  DATA_DIR cannot be created: ${path} (ENOTDIR). Example: DATA_DIR=/var/lib/l4desk`,
      'All settings: npm start -- --help',
    ]);
  });

  it('names a database that cannot be written, and exits with code 1', async () => {
    const path = join(directory, 'data');
    mkdirSync(join(path, 'l4desk.db'), { recursive: true });
    const running = run(program, { DATA_DIR: path });
    expect(await running.ended).toBe(1);
    expect(plain(running).join('\n')).toContain(`The data directory ${path} cannot be written`);
  });

  it('exits with code 2 for an unknown argument', async () => {
    expect(await run(program, {}, ['--port', '1']).ended).toBe(2);
  });
});
