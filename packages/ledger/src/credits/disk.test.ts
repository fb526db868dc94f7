import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeptLog, temporaryDirectory } from '@l4desk/testkit';
import { sql } from 'kysely';
import Database from 'libsql';
import { beforeEach, expect, it } from 'vitest';
import { KyselyStore } from '../accounts/kysely-store.ts';
import { issueKey, newAccount } from '../accounts/new-account.ts';
import { openDatabase } from '../database/open-database.ts';
import { KyselyLedger } from './kysely-ledger.ts';
import { Ledger, LedgerError, type Reservation } from './ledger.ts';

const NOW = Date.UTC(2026, 10, 30);

let directory: string;
let db: Awaited<ReturnType<typeof openDatabase>>;
let table: KyselyLedger;

beforeEach(async () => {
  const temporary = await temporaryDirectory();
  directory = temporary.path;
  db = await openDatabase(directory);
  table = new KyselyLedger(db);
  return async () => {
    await table.close();
    await temporary[Symbol.asyncDispose]();
  };
});

async function customer() {
  const store = new KyselyStore(db);
  const plan = { plan: 'test', maxCredits: 1_000_000_000, flexLimit: 0, freeCredits: 0 };
  const account = newAccount('team', plan, NOW);
  await store.createAccount(account);
  const { id } = await issueKey(store, account.id, 'api', '', NOW);
  return { accountId: account.id, credentialId: id };
}

function held(outcome: Reservation | LedgerError): Reservation {
  if (outcome instanceof LedgerError) throw outcome;
  return outcome;
}

/** Reads the file directly, without our code. */
function rows(query: string): unknown[] {
  const raw = new Database(join(directory, 'l4desk.db'));
  try {
    return raw.prepare(query).all();
  } finally {
    raw.close();
  }
}

it('a ping is written to disk like a charge, and leaves nothing in the tables', async () => {
  await customer();
  const writtenBytes = () => readFileSync(join(directory, 'l4desk.db-wal')).length;
  const before = writtenBytes();
  await table.ping();
  expect(writtenBytes()).toBeGreaterThan(before);
  expect(rows('select * from usage_months')).toEqual([]);
});

it('[BILL-19] a full disk loses no charge and adds none', async () => {
  const ledger = new Ledger({ table, now: () => NOW, log: new KeptLog() });
  const payer = await customer();
  const used = () => rows('select coalesce(sum(premium_credits), 0) as credits from usage');
  // Limited to its current number of pages, so that anything that needs a new one fails.
  const pages = (await sql<{ page_count: number }>`pragma page_count`.execute(db)).rows[0]?.page_count ?? 0;
  await sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(db);
  let kept = 0;
  const refusals: unknown[] = [];
  while (refusals.length < 3) {
    const kind = `kind ${kept} ${'x'.repeat(200)}`;
    try {
      await held(await ledger.reserve(payer, kind, 1)).charge();
      kept += 1;
    } catch (error) {
      refusals.push(error);
    }
  }
  expect(kept).toBeGreaterThan(1);
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'ledger_unavailable' });
  expect(used()).toEqual([{ credits: kept }]);
  await sql`pragma max_page_count = 100000`.execute(db);
  await held(await ledger.reserve(payer, 'new', 1)).charge();
  expect(used()).toEqual([{ credits: kept + 1 }]);
});
