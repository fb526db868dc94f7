import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Chance, KeptLog, until } from '@l4desk/testkit';
import { POSTGRES_PASSWORD, PostgresServer, postgresDatabase } from '@l4desk/testkit/postgres';
import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { KyselyStore } from '../accounts/kysely-store.ts';
import { issueKey, newAccount } from '../accounts/new-account.ts';
import { KyselyLedger } from '../credits/kysely-ledger.ts';
import { Ledger, LedgerError } from '../credits/ledger.ts';
import { DatabaseError } from './database-error.ts';
import { openDatabase } from './open-database.ts';

const NOW = Date.UTC(2026, 10, 22);

/** For connections that wait for other connections of a test. */
const PATIENT = { lockWaitMs: 60_000 };

const failure = async (opening: Promise<unknown>): Promise<DatabaseError> => {
  const error: unknown = await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DatabaseError) return error;
  throw new Error('no DatabaseError', { cause: error });
};

async function newCustomer(place: string, maxCredits: number) {
  const store = new KyselyStore(await openDatabase(place));
  const account = newAccount('team', { plan: 'test', maxCredits, flexLimit: 0, freeCredits: 7 }, NOW);
  await store.createAccount(account);
  const { id } = await issueKey(store, account.id, 'api', '', NOW);
  return { store, payer: { accountId: account.id, credentialId: id } };
}

it('ten processes that start at once migrate a new database together', async () => {
  const place = await postgresDatabase();
  const all = await Promise.all(Array.from({ length: 10 }, () => openDatabase(place, PATIENT)));
  const applied = await sql<{ name: string }>`select name from migrations order by name`.execute(all[0] ?? fail());
  expect(applied.rows.map(({ name }) => name)).toEqual(applied.rows.map(({ name }) => name).toSorted());
  expect(applied.rows.length).toBeGreaterThanOrEqual(3);
  for (const db of all) await db.destroy();
});

it('[BILL-10] many writers on separate connections never charge past the limit, and use all of it', async () => {
  const place = await postgresDatabase();
  const LIMIT = 400;
  const { store, payer } = await newCustomer(place, LIMIT);
  const chance = new Chance(7);
  const credits = Array.from({ length: 8 }, () => Array.from({ length: 120 }, () => chance.int(1, 3)));
  const refusals: unknown[] = [];
  const outcomes = await Promise.all(
    credits.map(async (list) => {
      const table = new KyselyLedger(await openDatabase(place, PATIENT));
      const meter = new Ledger({ table, now: () => NOW, log: new KeptLog() });
      let charged = 0;
      for (const amount of list) {
        const held = await meter.reserve(payer, 'openOrders', amount);
        if (held instanceof LedgerError) continue;
        const refusal: unknown = await held.charge().catch((error: unknown) => error);
        if (refusal === undefined) charged += amount;
        else refusals.push(refusal);
      }
      await table.close();
      return charged;
    }),
  );
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'credits_exhausted' });
  const confirmed = outcomes.reduce((sum, charged) => sum + charged, 0);
  const { days } = await store.usageSums(payer.accountId, { from: '2026-11-01', to: '2026-11-30' });
  expect(days).toEqual([{ day: '2026-11-22', free: 7, premium: confirmed - 7 }]);
  expect(confirmed).toBeLessThanOrEqual(LIMIT);
  expect(confirmed).toBeGreaterThan(LIMIT - 3);
  await store.close();
});

it('a charge that waits for its account uses a plan that was lowered meanwhile', async () => {
  const place = await postgresDatabase();
  const { store, payer } = await newCustomer(place, 10);
  const table = new KyselyLedger(await openDatabase(place, PATIENT));
  const charge = { ...payer, kind: 'openOrders', credits: 5 };
  await table.commit(NOW, [charge]);
  const holder = new Client({ connectionString: place });
  await holder.connect();
  await holder.query('begin; select 1 from usage_months for update');
  const waiting = table.commit(NOW, [charge]);
  await until('the charge waits for the row', async () => {
    const { rowCount } = await holder.query('select 1 from pg_locks where not granted');
    return rowCount === 1;
  });
  await store.setPlan('team', { maxCredits: 6 });
  await holder.query('commit');
  await holder.end();
  expect(await waiting).toMatchObject({ charged: [false], monthUsages: [{ used: 5, limit: 6 }] });
  await table.close();
  await store.close();
});

it('days are text and sums are exact numbers; a sum too large for a number is an error', async () => {
  const place = await postgresDatabase();
  const { store, payer } = await newCustomer(place, Number.MAX_SAFE_INTEGER - 5);
  const table = new KyselyLedger(await openDatabase(place));
  await table.commit(NOW, [{ ...payer, kind: 'a', credits: Number.MAX_SAFE_INTEGER - 10 }]);
  await table.commit(NOW, [{ ...payer, kind: 'b', credits: 5 }]);
  const window = { from: '2026-11-22', to: '2026-11-22' };
  expect((await store.usageSums(payer.accountId, window)).days).toEqual([
    { day: '2026-11-22', free: 7, premium: Number.MAX_SAFE_INTEGER - 12 },
  ]);
  const client = new Client({ connectionString: place });
  await client.connect();
  await client.query("update usage set premium_credits = 9007199254740993 where kind = 'a'");
  await client.end();
  expect(await failure(store.usageSums(payer.accountId, window))).toMatchObject({ code: 'failed' });
  await table.close();
  await store.close();
});

describe('refusals', () => {
  it('distinguish a wrong password, a missing database and a port without a listener, without showing the password', async () => {
    const place = await postgresDatabase();
    const wrong = await failure(openDatabase(place.replace(POSTGRES_PASSWORD, 'another-word')));
    const missing = await failure(openDatabase(`${place}_missing`));
    const nobody = await failure(openDatabase(place.replace(/:\d+\//, ':1/')));
    expect(wrong).toMatchObject({ code: 'failed', retryable: false });
    expect(missing).toMatchObject({ code: 'failed', retryable: false });
    expect(nobody).toMatchObject({ code: 'unreachable', retryable: true });
    for (const { message } of [wrong, missing, nobody]) {
      expect(message).toContain('127.0.0.1');
      expect(message).not.toContain('word@');
      expect(message).not.toContain(POSTGRES_PASSWORD);
    }
  });

  it('say what the server or a pooler in front of it said', async () => {
    const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: lock_timeout', ''];
    const text = Buffer.from(fields.map((field) => `${field}\0`).join(''));
    const head = Buffer.from('E____');
    head.writeUInt32BE(text.length + 4, 1);
    await using pooler = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([head, text]))));
    await once(pooler.listen(0, '127.0.0.1'), 'listening');
    const { port } = pooler.address() as AddressInfo;
    const refusal = await failure(openDatabase(`postgres://l4desk@127.0.0.1:${port}/l4desk`));
    expect(refusal).toMatchObject({ code: 'unreachable', retryable: true });
    expect(refusal.message).toContain('unsupported startup parameter: lock_timeout (08P01)');
  });

  it('leave a database of a newer version unchanged', async () => {
    const place = await postgresDatabase();
    const db = await openDatabase(place);
    await sql`insert into migrations (name, timestamp) values ('9999-the-future', '2030-01-01')`.execute(db);
    await db.destroy();
    expect((await failure(openDatabase(place))).code).toBe('newer');
  });
});

it('a server that stops and comes back is used again, and one that hangs is not waited for', async () => {
  await using server = await PostgresServer.start();
  const store = new KyselyStore(await openDatabase(await server.createDatabase(), { lockWaitMs: 100 }));
  await until('it is there', () =>
    store.ping().then(
      () => true,
      () => false,
    ),
  );
  await server.end('SIGQUIT');
  expect(await failure(store.ping())).toMatchObject({ code: 'unreachable' });
  await server.launch();
  // A busy machine may take longer to respond than the time a hanging server is given.
  const used = () => store.listAccounts().catch(() => undefined);
  expect(await until('it is used again', used)).toEqual([]);
  const resume = await server.pause();
  expect(await failure(store.listAccounts())).toMatchObject({ code: 'unreachable' });
  await resume();
  expect(await until('it is used again', used)).toEqual([]);
  await store.close();
});

function fail(): never {
  throw new Error('nothing was opened');
}
