import { join } from 'node:path';
import {
  DatabaseError,
  issueKey,
  KyselyLedger,
  KyselyStore,
  Ledger,
  LedgerError,
  newAccount,
  openDatabase,
} from '@l4desk/ledger';
import { Chance, KeptLog, temporaryDirectory, until } from '@l4desk/testkit';
import { PostgresServer } from '@l4desk/testkit/postgres';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ChargeSpool } from './charge-spool.ts';
import { SpoolingLedger, type SpoolingLedgerDeps } from './spooling-ledger.ts';

const NOW = Date.UTC(2026, 10, 30, 23, 59);

/** How long these tests wait for a lock. A server that hangs is given up two seconds later. */
const LOCK_WAIT_MS = 200;

let server: PostgresServer;
let place: string;
let directory: string;
let store: KyselyStore;
let payer: { readonly accountId: string; readonly credentialId: string };
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await PostgresServer.start();
});

afterAll(async () => server[Symbol.asyncDispose]());

beforeEach(async () => {
  const temporary = await temporaryDirectory();
  directory = temporary.path;
  place = await server.createDatabase();
  store = new KyselyStore(await openDatabase(place));
  payer = await customer('team', 1_000_000);
  closers.push(
    async () => temporary[Symbol.asyncDispose](),
    () => store.close(),
  );
  return async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
});

async function customer(name: string, maxCredits: number) {
  const account = newAccount(name, { plan: 'test', maxCredits, flexLimit: 0, freeCredits: 5 }, NOW);
  await store.createAccount(account);
  return { accountId: account.id, credentialId: (await issueKey(store, account.id, 'api', '', NOW)).id };
}

async function openTable(lockWaitMs = LOCK_WAIT_MS): Promise<KyselyLedger> {
  return new KyselyLedger(await openDatabase(place, { lockWaitMs }));
}

/** A service's ledger, with a spool in the test's directory. */
function service(table: SpoolingLedgerDeps['table'], deps: Partial<SpoolingLedgerDeps> = {}) {
  const spooling = new SpoolingLedger({ table, spool: new ChargeSpool(directory), spoolMs: 60_000, ...deps });
  closers.push(() => spooling.close());
  return { spooling, meter: new Ledger({ table: spooling, now: () => NOW, log: new KeptLog() }) };
}

/** Charges. Resolves with `charged`, or with the code of the refusal. */
async function charge(meter: Ledger, credits: number, kind = 'openOrders', whose = payer): Promise<string> {
  const held = await meter.reserve(whose, kind, credits);
  if (held instanceof LedgerError) return held.code;
  return held.charge().then(
    () => 'charged',
    (error: unknown) => (error instanceof LedgerError ? error.code : 'failed'),
  );
}

async function used(): Promise<number> {
  const { days } = await store.usageSums(payer.accountId, { from: '2026-11-01', to: '2026-12-31' });
  return days.reduce((sum, { free, premium }) => sum + free + premium, 0);
}

const drained = (spooling: SpoolingLedger) =>
  until('the spool is replayed', async () => (await spooling.spool()).lostForMs === null);

it('[BILL-19] a database that is killed, hangs, loses connections and comes back under load contains every confirmed charge, once', async () => {
  const chance = new Chance(11);
  const services = await Promise.all(
    ['one', 'two'].map(async (name) => service(await openTable(), { spool: new ChargeSpool(join(directory, name)) })),
  );
  const confirmed = new Map<string, number>();
  const run = { isOver: false };
  let charged = 0;
  const refusals = new Set<string>();
  const load = services.flatMap(({ meter }, lane) =>
    Array.from({ length: 4 }, async (_, caller) => {
      const own = new Chance(lane * 10 + caller);
      while (!run.isOver) {
        const [kind, credits] = [`kind ${own.int(0, 2)}`, own.int(1, 25)];
        const outcome = await charge(meter, credits, kind);
        if (outcome === 'charged') {
          charged += 1;
          confirmed.set(kind, (confirmed.get(kind) ?? 0) + credits);
        } else {
          refusals.add(outcome);
        }
        // A turn of the event loop: charges from the spool resolve without one.
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }),
  );
  const more = async (count: number) => {
    const goal = charged + count;
    await until('more charges', () => charged >= goal);
  };
  for (const fault of ['kill', 'connections', 'pause', 'connections', 'end']) {
    await more(chance.int(20, 60));
    if (fault === 'connections') {
      await server.cutConnections();
    } else if (fault === 'pause') {
      const resume = await server.pause();
      await more(20);
      await resume();
    } else {
      await server.end(fault === 'kill' ? 'SIGQUIT' : 'SIGINT');
      await more(20);
      await server.launch();
    }
    for (const { spooling } of services) await drained(spooling);
  }
  run.isOver = true;
  await Promise.all(load);
  for (const { spooling } of services) await drained(spooling);
  const healths = await Promise.all(services.map(({ spooling }) => spooling.spool()));
  for (const health of healths) expect(health).toMatchObject({ waiting: 0, replayed: health.spooled });
  expect(healths.some(({ replayed }) => replayed > 0)).toBe(true);
  const rows = await server.rows(
    place,
    'select kind, sum(free_credits + premium_credits) as credits from usage group by 1',
  );
  expect(new Map(rows.map(({ kind, credits }) => [kind, Number(credits)]))).toEqual(confirmed);
  expect(await used()).toBe([...confirmed.values()].reduce((sum, credits) => sum + credits, 0));
  // For a row that another transaction held for too long.
  expect([...refusals].filter((code) => code !== 'ledger_unavailable')).toEqual([]);
});

it('a commit with a lost result is in the ledger once, including those of its charges that the limit had refused', async () => {
  const table = await openTable();
  let isCut = true;
  const { spooling } = service({
    commitBatch: async (batch) => {
      const commit = await table.commitBatch(batch);
      if (!isCut) return commit;
      isCut = false;
      throw new DatabaseError('unreachable', 'the connection was lost');
    },
    replay: (batches) => table.replay(batches),
    monthUsage: (accountId, at) => table.monthUsage(accountId, at),
    ping: () => table.ping(),
    close: () => table.close(),
  });
  await store.setPlan('team', { maxCredits: 10 });
  const charges = [8, 7].map((credits) => ({ ...payer, kind: 'openOrders', credits }));
  expect(await spooling.commit(NOW, charges)).toMatchObject({ charged: [true, true] });
  await drained(spooling);
  expect(await used()).toBe(15);
  expect(await spooling.commit(NOW, [{ ...payer, kind: 'openOrders', credits: 1 }])).toMatchObject({
    charged: [false],
  });
});

it('a spool is replayed once, however often and by however many processes, even after its process ended', async () => {
  // Each waits for the other as long as its replay takes.
  const [one, two] = [await openTable(30_000), await openTable(30_000)];
  const spool = new ChargeSpool(directory);
  const batches = Array.from({ length: 150 }, (_, place) => ({
    writer: `writer ${place % 3}`,
    number: place + 1,
    at: NOW + place * 1000,
    charges: [{ ...payer, kind: 'openOrders', credits: 2 }],
  }));
  for (const batch of batches) spool.add(batch);
  spool.close();
  await Promise.all([one.replay(batches), two.replay(batches.slice(0, 80))]);
  expect(await used()).toBe(300);
  await two.close();
  const { spooling } = service(one);
  await drained(spooling);
  expect(await spooling.spool()).toMatchObject({ waiting: 0, replayed: 150 });
  const { days } = await store.usageSums(payer.accountId, { from: '2026-11-01', to: '2026-12-31' });
  expect(days).toEqual([
    { day: '2026-11-30', free: 5, premium: 115 },
    { day: '2026-12-01', free: 5, premium: 175 },
  ]);
});

it('without the database an account keeps to its last known limit, and after the bound nothing is served', async () => {
  let elapsed = 0;
  let goOn = () => {};
  // A server that has ended refuses at once, so nothing here waits for one that hangs.
  const table = await openTable(30_000);
  const { spooling, meter } = service(table, {
    elapsed: () => elapsed,
    pause: () =>
      new Promise((resolve) => {
        goOn = resolve;
      }),
  });
  await store.setPlan('team', { maxCredits: 10 });
  const stranger = await customer('stranger', 100);
  expect(await charge(meter, 4)).toBe('charged');
  await server.end('SIGINT');
  expect(await charge(meter, 4)).toBe('charged');
  expect(await charge(meter, 4)).toBe('credits_exhausted');
  expect(await charge(meter, 1, 'openOrders', stranger)).toBe('ledger_unavailable');
  elapsed = 59_999;
  expect(await charge(meter, 1)).toBe('charged');
  elapsed = 60_000;
  expect(await charge(meter, 1)).toBe('ledger_unavailable');
  await expect(meter.ping()).rejects.toMatchObject({ code: 'unreachable' });
  expect(await spooling.spool()).toMatchObject({ waiting: 2, lostForMs: 60_000 });
  await server.launch();
  goOn();
  await drained(spooling);
  expect(await used()).toBe(9);
  expect(await charge(meter, 1)).toBe('charged');
  expect(await charge(meter, 1)).toBe('credits_exhausted');
});
