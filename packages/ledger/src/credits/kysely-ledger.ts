import { dayOf, monthOf } from '@l4desk/protocol';
import { type Compilable, type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Batch, Charge, Commit, LedgerTable, MonthUsage } from './ledger-table.ts';

/** The most rows of one statement. More rows take several statements. */
const ROWS_MAX = 64;

/** The ledger's table over the database of `openDatabase`, in the calling thread. Closing it closes the database. */
export class KyselyLedger implements LedgerTable {
  readonly #db: Kysely<Tables>;
  readonly #queries: Queries;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
    this.#queries = buildQueries(db);
  }

  commit(at: number, charges: readonly Charge[]): Promise<Commit> {
    return this.#db.transaction().execute((transaction) => this.#commitOn(transaction, at, charges));
  }

  /** Commits a batch together with its name and with which of its charges were accepted, for `replay`. */
  commitBatch({ writer, number, at, charges }: Batch): Promise<Commit> {
    return this.#db.transaction().execute(async (transaction) => {
      const commit = await this.#commitOn(transaction, at, charges);
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
    return this.#db.transaction().execute((transaction) => this.#replayOn(transaction, batches));
  }

  async #replayOn(transaction: Transaction<Tables>, batches: readonly Batch[]): Promise<void> {
    // The months first, as in a commit. This waits for any of these batches whose commit is still running.
    const months = new Map<string, ReadonlyMap<string, Account>>();
    for (const month of [...new Set(batches.map(({ at }) => monthOf(at)))].toSorted()) {
      const charges = batches.filter(({ at }) => monthOf(at) === month).flatMap((batch) => batch.charges);
      months.set(month, await this.#hold(transaction, month, charges));
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
      await this.#queries.addUsage.run(transaction, sums.rows(day));
    }
    for (const [month, accounts] of months) await this.#queries.setMonths.run(transaction, monthRows(month, accounts));
  }

  /** Uses four statements for any number of charges, because each is a round trip to another machine. */
  async #commitOn(transaction: Transaction<Tables>, at: number, charges: readonly Charge[]): Promise<Commit> {
    const month = monthOf(at);
    const accounts = await this.#hold(transaction, month, charges);
    const sums = new Sums();
    const charged = charges.map((charge) => {
      const account = accounts.get(charge.accountId);
      if (account === undefined || account.free + account.premium + charge.credits > account.limit) return false;
      sums.take(account, charge);
      return true;
    });
    await this.#queries.addUsage.run(transaction, sums.rows(dayOf(at)));
    if (charged.includes(true)) await this.#queries.setMonths.run(transaction, monthRows(month, accounts));
    const monthUsages = [...accounts].map(([accountId, { free, premium, limit }]) => {
      return { accountId, month, used: free + premium, limit };
    });
    return { charged, monthUsages };
  }

  /**
   * Locks the month's rows of the charged accounts until the transaction ends, creates missing ones, and then reads the
   * plans. All processes lock in the same order, so that they never deadlock.
   */
  async #hold(
    transaction: Transaction<Tables>,
    month: string,
    charges: readonly Charge[],
  ): Promise<ReadonlyMap<string, Account>> {
    const ids = [...new Set(charges.map(({ accountId }) => accountId))].toSorted().map((id) => [id]);
    const months = await this.#queries.holdMonths.run(transaction, ids, month);
    const plans = await this.#queries.plans.run(transaction, ids);
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

function nameOf({ writer, number }: Pick<Batch, 'writer' | 'number'>): string {
  return `${writer} ${number}`;
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

  /** As `addUsage` takes them. */
  rows(day: string): readonly Values[] {
    return [...this.#sums.values()].map(({ charge: { accountId, credentialId, kind }, free, premium }) => {
      return [accountId, day, credentialId, kind, free, premium];
    });
  }
}

function monthRows(month: string, accounts: ReadonlyMap<string, Account>): readonly Values[] {
  return [...accounts].map(([accountId, { free, premium }]) => [accountId, month, free, premium]);
}

type Values = readonly (string | number)[];

/** A query over any number of rows. Its SQL is built once for each number, because that costs more than running it. */
class RowsQuery<Row> {
  readonly #build: (texts: readonly string[]) => Compilable<Row>;
  readonly #built: CompiledQuery<Row>[] = [];

  /** `build` gets a placeholder for each row; `run` replaces the values of the query, in the order of its SQL. */
  constructor(build: (texts: readonly string[]) => Compilable<Row>) {
    this.#build = build;
  }

  async run(transaction: Transaction<Tables>, given: readonly Values[], ...before: Values): Promise<readonly Row[]> {
    const found: Row[] = [];
    for (let start = 0; start < given.length; start += ROWS_MAX) {
      const part = given.slice(start, start + ROWS_MAX);
      const query = (this.#built[part.length] ??= this.#build(part.map(() => '')).compile());
      const parameters = [...before, ...part.flat()];
      const { rows } = await transaction.executeQuery<Row>({ ...query, parameters });
      found.push(...rows);
    }
    return found;
  }
}

type Queries = ReturnType<typeof buildQueries>;

function buildQueries(db: Kysely<Tables>) {
  const sums = { free_credits: 0, premium_credits: 0 };
  return {
    /** Locks the sums of the month and creates missing ones. Its first value is the month. */
    holdMonths: new RowsQuery((ids) =>
      db
        .insertInto('usage_months')
        .columns(['account_id', 'month', 'free_credits', 'premium_credits'])
        .expression(
          db
            .selectFrom('accounts')
            .select(['id', sql<string>`cast(${''} as text)`.as('month')])
            .select([sql<number>`0`.as('free_credits'), sql<number>`0`.as('premium_credits')])
            .where('id', 'in', ids)
            .orderBy('id'),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'month'])
            .doUpdateSet((row) => ({ free_credits: row.ref('usage_months.free_credits') })),
        )
        .returning(['account_id as accountId', 'free_credits as free', 'premium_credits as premium']),
    ),
    plans: new RowsQuery((ids) =>
      db
        .selectFrom('accounts')
        .select(['id', 'max_credits as maxCredits', 'flex_limit as flexLimit', 'free_credits as freeCredits'])
        .where('id', 'in', ids),
    ),
    addUsage: new RowsQuery((texts) =>
      db
        .insertInto('usage')
        .values(texts.map((text) => ({ account_id: text, day: text, credential_id: text, kind: text, ...sums })))
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'day', 'credential_id', 'kind']).doUpdateSet((row) => ({
            free_credits: row('usage.free_credits', '+', row.ref('excluded.free_credits')),
            premium_credits: row('usage.premium_credits', '+', row.ref('excluded.premium_credits')),
          })),
        ),
    ),
    setMonths: new RowsQuery((texts) =>
      db
        .insertInto('usage_months')
        .values(texts.map((text) => ({ account_id: text, month: text, ...sums })))
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'month']).doUpdateSet((row) => ({
            free_credits: row.ref('excluded.free_credits'),
            premium_credits: row.ref('excluded.premium_credits'),
          })),
        ),
    ),
  };
}
