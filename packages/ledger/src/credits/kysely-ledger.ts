import { dayOf, monthOf } from '@l4desk/protocol';
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Batch, Charge, Commit, LedgerTable, MonthUsage } from './ledger-table.ts';

/** Rows of one statement: the embedded database takes 32,766 parameters. */
const ROWS_MAX = 1_000;

/** The ledger's table over the database of `openDatabase`, in the calling thread. Closing it closes the database. */
export class KyselyLedger implements LedgerTable {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  commit(at: number, charges: readonly Charge[]): Promise<Commit> {
    return this.#db.transaction().execute((transaction) => commitOn(transaction, at, charges));
  }

  /** Commits a batch together with its name and with which of its charges were accepted, for `replay`. */
  commitBatch({ writer, number, at, charges }: Batch): Promise<Commit> {
    return this.#db.transaction().execute(async (transaction) => {
      const commit = await commitOn(transaction, at, charges);
      const charged = commit.charged.map((isCharged) => (isCharged ? '1' : '0')).join('');
      const last = { number, charged, at };
      await transaction
        .insertInto('charge_writers')
        .values({ writer, ...last })
        .onConflict((conflict) => conflict.column('writer').doUpdateSet(last))
        .execute();
      return commit;
    });
  }

  /** Charges batches that were served without the database, each once, regardless of the limit. */
  replay(batches: readonly Batch[]): Promise<void> {
    return this.#db.transaction().execute((transaction) => replayOn(transaction, batches));
  }

  async monthUsage(accountId: string, at: number): Promise<MonthUsage | undefined> {
    const month = monthOf(at);
    const row = await this.#db
      .selectFrom('accounts')
      .leftJoin('usage_months', (join) =>
        join.onRef('usage_months.account_id', '=', 'accounts.id').on('usage_months.month', '=', month),
      )
      .select([
        'accounts.max_credits as maxCredits',
        'accounts.flex_limit as flexLimit',
        'usage_months.free_credits as free',
        'usage_months.premium_credits as premium',
      ])
      .where('accounts.id', '=', accountId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const used = (row.free ?? 0) + (row.premium ?? 0);
    return { accountId, month, used, limit: row.maxCredits + row.flexLimit };
  }

  async ping(): Promise<void> {
    const account = await this.#db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
    // Without an account there is nothing to charge.
    if (account === undefined) return;
    // A row that is inserted and deleted in one transaction: it is never visible, and its pages are written like those of a
    // charge.
    const row = { account_id: account.id, month: 'ping', free_credits: 0, premium_credits: 0 };
    await this.#db.transaction().execute(async (transaction) => {
      await transaction.insertInto('usage_months').values(row).execute();
      await transaction
        .deleteFrom('usage_months')
        .where('account_id', '=', row.account_id)
        .where('month', '=', row.month)
        .execute();
    });
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }
}

async function replayOn(transaction: Transaction<Tables>, batches: readonly Batch[]): Promise<void> {
  // The months first, as in a commit. This waits for any of these batches whose commit is still running.
  const months = new Map<string, ReadonlyMap<string, Account>>();
  for (const month of [...new Set(batches.map(({ at }) => monthOf(at)))].toSorted()) {
    const charges = batches.filter(({ at }) => monthOf(at) === month).flatMap((batch) => batch.charges);
    months.set(month, await hold(transaction, month, charges));
  }
  const named = await transaction
    .insertInto('charge_replays')
    .values(batches.map(({ writer, number, at }) => ({ writer, number, at })))
    .onConflict((conflict) => conflict.columns(['writer', 'number']).doNothing())
    .returning(['writer', 'number'])
    .execute();
  const isNew = new Set(named.map(nameOf));
  const committed = await transaction
    .selectFrom('charge_writers')
    .select(['writer', 'number', 'charged'])
    .where('writer', 'in', [...new Set(batches.map(({ writer }) => writer))])
    .execute();
  const chargedOf = new Map(committed.map((batch) => [nameOf(batch), batch.charged]));
  for (const day of [...new Set(batches.map(({ at }) => dayOf(at)))].toSorted()) {
    const sums = new Sums();
    for (const batch of batches) {
      if (dayOf(batch.at) !== day || !isNew.has(nameOf(batch))) continue;
      const charged = chargedOf.get(nameOf(batch)) ?? '';
      for (const [index, charge] of batch.charges.entries()) {
        const account = months.get(monthOf(batch.at))?.get(charge.accountId);
        if (account === undefined) throw new Error(`the account ${charge.accountId} of a charge is missing`);
        if (charged[index] !== '1') sums.take(account, charge);
      }
    }
    await addUsage(transaction, sums.rows(day));
  }
  for (const [month, accounts] of months) await setMonths(transaction, month, accounts);
}

function nameOf({ writer, number }: Pick<Batch, 'writer' | 'number'>): string {
  return `${writer} ${number}`;
}

/** Uses four statements for any number of charges, because each is a round trip to another machine. */
async function commitOn(transaction: Transaction<Tables>, at: number, charges: readonly Charge[]): Promise<Commit> {
  const month = monthOf(at);
  const accounts = await hold(transaction, month, charges);
  const sums = new Sums();
  const charged = charges.map((charge) => {
    const account = accounts.get(charge.accountId);
    if (account === undefined || account.free + account.premium + charge.credits > account.limit) return false;
    sums.take(account, charge);
    return true;
  });
  await addUsage(transaction, sums.rows(dayOf(at)));
  if (charged.includes(true)) await setMonths(transaction, month, accounts);
  const monthUsages = [...accounts].map(([accountId, { free, premium, limit }]) => {
    return { accountId, month, used: free + premium, limit };
  });
  return { charged, monthUsages };
}

/**
 * Locks the month's rows of the charged accounts until the transaction ends, creates missing ones, and then reads the
 * plans. All processes lock in the same order, so that they never deadlock.
 */
async function hold(
  transaction: Transaction<Tables>,
  month: string,
  charges: readonly Charge[],
): Promise<ReadonlyMap<string, Account>> {
  const ids = [...new Set(charges.map(({ accountId }) => accountId))];
  const months = await transaction
    .insertInto('usage_months')
    .columns(['account_id', 'month', 'free_credits', 'premium_credits'])
    .expression(
      transaction
        .selectFrom('accounts')
        .select(['id', sql<string>`cast(${month} as text)`.as('month')])
        .select([sql<number>`0`.as('free_credits'), sql<number>`0`.as('premium_credits')])
        .where('id', 'in', ids)
        .orderBy('id'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'month'])
        .doUpdateSet((row) => ({ free_credits: row.ref('usage_months.free_credits') })),
    )
    .returning(['account_id as accountId', 'free_credits as free', 'premium_credits as premium'])
    .execute();
  const plans = await transaction
    .selectFrom('accounts')
    .select(['id', 'max_credits as maxCredits', 'flex_limit as flexLimit', 'free_credits as freeCredits'])
    .where('id', 'in', ids)
    .execute();
  const planOf = new Map(plans.map(({ id, ...plan }) => [id, plan]));
  const accounts = new Map<string, Account>();
  for (const { accountId, free, premium } of months) {
    const plan = planOf.get(accountId);
    if (plan === undefined) throw new Error('an account that was just read is missing');
    const { maxCredits, flexLimit, freeCredits } = plan;
    accounts.set(accountId, { free, premium, freeCredits, limit: maxCredits + flexLimit });
  }
  return accounts;
}

async function addUsage(transaction: Transaction<Tables>, rows: readonly Insertable<Tables['usage']>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_MAX)
    await transaction
      .insertInto('usage')
      .values(rows.slice(start, start + ROWS_MAX))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'day', 'credential_id', 'kind']).doUpdateSet((row) => ({
          free_credits: row('usage.free_credits', '+', row.ref('excluded.free_credits')),
          premium_credits: row('usage.premium_credits', '+', row.ref('excluded.premium_credits')),
        })),
      )
      .execute();
}

async function setMonths(
  transaction: Transaction<Tables>,
  month: string,
  accounts: ReadonlyMap<string, Account>,
): Promise<void> {
  const rows = [...accounts].map(([account_id, { free, premium }]) => {
    return { account_id, month, free_credits: free, premium_credits: premium };
  });
  for (let start = 0; start < rows.length; start += ROWS_MAX)
    await transaction
      .insertInto('usage_months')
      .values(rows.slice(start, start + ROWS_MAX))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'month']).doUpdateSet((row) => ({
          free_credits: row.ref('excluded.free_credits'),
          premium_credits: row.ref('excluded.premium_credits'),
        })),
      )
      .execute();
}

/** An account's credits in the month, during a commit. */
interface Account {
  free: number;
  premium: number;
  readonly freeCredits: number;
  readonly limit: number;
}

/** Credits of one credential and kind, free and premium. */
interface Sum {
  readonly charge: Charge;
  free: number;
  premium: number;
}

/** Charges of one day, summed up by account, credential and kind. */
class Sums {
  readonly #sums = new Map<string, Sum>();

  /** Adds a charge, using the month's free credits first (BILL-18). Credits that were free stay free. */
  take(account: Account, charge: Charge): void {
    const { accountId, credentialId, kind, credits } = charge;
    const free = Math.min(credits, Math.max(0, account.freeCredits - account.free));
    account.free += free;
    account.premium += credits - free;
    const key = `${accountId} ${credentialId} ${kind}`;
    const sum = this.#sums.get(key) ?? { charge, free: 0, premium: 0 };
    sum.free += free;
    sum.premium += credits - free;
    this.#sums.set(key, sum);
  }

  rows(day: string): readonly Insertable<Tables['usage']>[] {
    return [...this.#sums.values()].map(({ charge: { accountId, credentialId, kind }, free, premium }) => {
      const key = { account_id: accountId, day, credential_id: credentialId, kind };
      return { ...key, free_credits: free, premium_credits: premium };
    });
  }
}
