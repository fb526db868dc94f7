import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DEFAULT_PLAN, issueKey, KyselyStore, newAccount, openDatabase } from '@l4desk/ledger';
import { readiness } from '@l4desk/protocol';
import { builtProgram, temporaryDirectory, until } from '@l4desk/testkit';
import { PostgresServer } from '@l4desk/testkit/postgres';
import { bearer, FakeExchange, postJson } from '@l4desk/testkit/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

let program: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  program = await builtProgram('bff');
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** The files of the spool in a data directory. */
function spoolFiles(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.startsWith('spool.db'));
}

/** Starts the real program. Its log lines are collected in `said`. */
function startService(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      UPSTREAM: 'exchange',
      UPSTREAM_TIMEOUT_MS: '60000',
      // The calls until one is refused would otherwise use up the weight of a minute and wait for the next one.
      UPSTREAM_WEIGHT_PER_MINUTE: '1000000',
      UPSTREAM_L4_URL: 'ws://127.0.0.1:9/ws',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const url = () =>
    until(
      () => `the service listens:\n${said.join('\n')}`,
      () => {
        const line = said.find((text) => text.includes('"listening"'));
        return line === undefined ? undefined : (JSON.parse(line) as { readonly url: string }).url;
      },
    );
  return { child, said, url };
}

it('the service waits for PostgreSQL at the start, spools charges without it, refuses calls after the limit, and charges every response once', async () => {
  await using directory = await temporaryDirectory();
  await using server = await PostgresServer.start();
  await using exchange = await FakeExchange.start();
  exchange.responses.set('openOrders', { json: [] });
  const DATABASE_URL = await server.createDatabase();
  const store = new KyselyStore(await openDatabase(DATABASE_URL));
  const account = newAccount('team', DEFAULT_PLAN, Date.now());
  await store.createAccount(account);
  const { key } = await issueKey(store, account.id, 'api', '', Date.now());
  await store.close();
  await server.end('SIGINT');

  const service = startService({
    DATA_DIR: directory.path,
    DATABASE_URL,
    // Long enough for the calls whose charges are spooled.
    DATABASE_SPOOL_MS: '8000',
    UPSTREAM_INFO_URL: exchange.infoUrl,
  });
  await until('the start waits', () =>
    service.said.some((line) => line.includes('database not reachable, trying again')),
  );
  await server.launch();
  const url = await service.url();
  let served = 0;
  const ask = async () => {
    const { status } = await postJson(`${url}/info`, { type: 'openOrders', user: `0x${'1'.repeat(40)}` }, bearer(key));
    if (status === 200) served += 1;
    return status;
  };
  const ready = async () => readiness.parse(await (await fetch(`${url}/readyz`)).json());
  expect(await ask()).toBe(200);
  await server.end('SIGQUIT');
  expect([await ask(), await ask()]).toEqual([200, 200]);
  expect(await ready()).toMatchObject({
    database: { status: 'failed', problem: 'PostgreSQL does not respond' },
    ledger: { status: 'ok' },
    warnings: [expect.stringMatching(/^PostgreSQL has been away for \d+ s; charges are spooled$/)],
  });
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^l4desk_ledger_spool_batches 2$/m);
  await until('calls are refused', async () => (await ask()) === 503);
  await until('readiness says so', async () => (await ready()).ledger?.status === 'failed');
  expect((await ready()).warnings).toEqual([]);
  for (const effect of ['charges are spooled', 'calls are refused'])
    await until(`the log says that ${effect}`, () => service.said.some((line) => line.includes(`is away, ${effect}`)));
  // A process that is killed now leaves its spool to the next one.
  service.child.kill('SIGKILL');
  await once(service.child, 'exit');
  await using spoolAsLeft = await temporaryDirectory();
  for (const name of spoolFiles(directory.path)) copyFileSync(join(directory.path, name), join(spoolAsLeft.path, name));
  await server.launch();
  const restart = () => startService({ DATA_DIR: directory.path, DATABASE_URL, UPSTREAM_INFO_URL: exchange.infoUrl });
  const charged = async () => {
    const sum = 'select coalesce(sum(free_credits + premium_credits), 0)::int as credits from usage';
    return (await server.rows(DATABASE_URL, sum))[0]?.credits;
  };

  // The process is killed in the middle of the replay, which waits for a lock here.
  const unlock = await server.lock(DATABASE_URL, 'charge_replays');
  const killed = restart();
  await until('the replay is under way', async () => {
    const waiting = `select 1 from pg_locks where not granted and relation = 'charge_replays'::regclass`;
    return (await server.rows(DATABASE_URL, waiting)).length > 0;
  });
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  await unlock();
  expect(await charged()).toBe(1);

  /** Waits until the spool is replayed, makes one more call, and checks that every response is charged exactly once. */
  const serve = async () => {
    const next = restart();
    const url = await next.url();
    await until('the spool is replayed', async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const replayed = /^l4desk_ledger_spool_total\{event="replayed"\} [1-9]/m.test(metrics);
      return replayed && /^l4desk_ledger_spool_batches 0$/m.test(metrics);
    });
    await until('the log says so', () => next.said.some((line) => line.includes('"PostgreSQL is back"')));
    expect(await charged()).toBe(served);
    const { status } = await postJson(`${url}/info`, { type: 'openOrders', user: `0x${'1'.repeat(40)}` }, bearer(key));
    expect(status).toBe(200);
    served += 1;
    next.child.kill('SIGTERM');
    expect(await once(next.child, 'exit')).toEqual([0, null]);
    expect(await charged()).toBe(served);
  };
  await serve();
  expect(served).toBeGreaterThanOrEqual(4);
  // Simulates a process that was killed after the replay was committed but before it was removed from the spool.
  for (const name of spoolFiles(directory.path)) rmSync(join(directory.path, name));
  for (const name of spoolFiles(spoolAsLeft.path))
    copyFileSync(join(spoolAsLeft.path, name), join(directory.path, name));
  await serve();
});
