import { dayOf, monthOf } from '@l4desk/protocol';
import { type DatabaseConnection, type Kysely, sql } from 'kysely';
import { BuiltQueries, BuiltQuery, numberSlot, rowSlot, textSlot } from '../database/built-query.ts';
import type { Tables } from '../database/tables.ts';
import type { Batch, Charge, Commit, LedgerTable, MonthUsage } from './ledger-table.ts';

/** The ledger's table over the database of `openDatabase`, in the calling thread. Closing it closes the database. */
export class KyselyLedger implements LedgerTable {
  readonly #db: Kysely<Tables>;
  readonly #queries: Queries;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
    this.#queries = buildQueries(db);
  }

  commit(at: number, charges: readonly Charge[]): Promise<Commit> {
    return this.#transaction((connection) => this.#commitOn(connection, at, charges));
  }

  /** Commits a batch together with its name and with which of its charges were accepted, for `replay`. */
  commitBatch({ writer, number, at, charges }: Batch): Promise<Commit> {
    return this.#transaction(async (connection) => {
      const commit = await this.#commitOn(connection, at, charges);
      const charged = commit.charged.map((isCharged) => (isCharged ? '1' : '0')).join('');
      await this.#queries.nameBatch.run(connection, { writer, number, charged, at });
      return commit;
    });
  }

  /** Charges batches that were served without the database, each once, regardless of the limit. */
  replay(batches: readonly Batch[]): Promise<void> {
    return this.#transaction((connection) => this.#replayOn(connection, batches));
  }

  async #replayOn(connection: DatabaseConnection, batches: readonly Batch[]): Promise<void> {
    // The months first, as in a commit. This waits for any of these batches whose commit is still running.
    const months = new Map<string, ReadonlyMap<string, Account>>();
    for (const month of [...new Set(batches.map(({ at }) => monthOf(at)))].toSorted()) {
      const its = batches.filter(({ at }) => monthOf(at) === month);
      const accountIds = its.flatMap(({ charges }) => charges.map(({ accountId }) => accountId));
      months.set(month, await this.#hold(connection, month, [...new Set(accountIds)]));
    }
    const names = batches.map(({ writer, number, at }) => [writer, number, at]);
    const named = await this.#queries.nameReplays.run(connection, {}, names);
    const isNew = new Set(named.map(({ writer, number }) => `${writer} ${number}`));
    const writers = [...new Set(batches.map(({ writer }) => writer))].map((writer) => [writer]);
    const committed = new Map(
      (await this.#queries.batchesOf.run(connection, {}, writers)).map(({ writer, number, charged }) => [
        `${writer} ${number}`,
        charged,
      ]),
    );
    for (const day of [...new Set(batches.map(({ at }) => dayOf(at)))].toSorted()) {
      const sums = new Sums();
      for (const { writer, number, at, charges } of batches) {
        const name = `${writer} ${number}`;
        if (dayOf(at) !== day || !isNew.has(name)) continue;
        const taken = committed.get(name) ?? '';
        for (const [index, charge] of charges.entries()) {
          const account = months.get(monthOf(at))?.get(charge.accountId);
          if (account === undefined) throw new Error(`the account ${charge.accountId} of a charge is missing`);
          if (taken[index] !== '1') sums.take(account, charge);
        }
      }
      await this.#queries.addUsage.run(connection, { day }, sums.rows());
    }
    for (const [month, accounts] of months)
      await this.#queries.setMonths.run(connection, { month }, monthRows(accounts));
  }

  #transaction<T>(act: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute((transaction) =>
      // One connection for everything: acquiring it for each statement costs more than the statements.
      transaction.getExecutor().provideConnection(act),
    );
  }

  /** Uses four statements for any number of charges, because each is a round trip to another machine. */
  async #commitOn(connection: DatabaseConnection, at: number, charges: readonly Charge[]): Promise<Commit> {
    const [day, month] = [dayOf(at), monthOf(at)];
    const accounts = await this.#hold(connection, month, [...new Set(charges.map(({ accountId }) => accountId))]);
    const sums = new Sums();
    const charged = charges.map((charge) => {
      const account = accounts.get(charge.accountId);
      if (account === undefined || account.free + account.premium + charge.credits > account.limit) return false;
      sums.take(account, charge);
      return true;
    });
    await this.#queries.addUsage.run(connection, { day }, sums.rows());
    if (charged.includes(true)) await this.#queries.setMonths.run(connection, { month }, monthRows(accounts));
    const monthUsages = [...accounts].map(([accountId, { free, premium, limit }]) => {
      return { accountId, month, used: free + premium, limit };
    });
    return { charged, monthUsages };
  }

  /** Locks the month's rows of accounts until the transaction ends, and then reads the plans. */
  async #hold(
    connection: DatabaseConnection,
    month: string,
    accountIds: readonly string[],
  ): Promise<ReadonlyMap<string, Account>> {
    const ids = accountIds.toSorted().map((id) => [id]);
    const months = await this.#queries.holdMonths.run(connection, { month }, ids);
    const plans = new Map((await this.#queries.plans.run(connection, {}, ids)).map(({ id, ...plan }) => [id, plan]));
    const accounts = new Map<string, Account>();
    for (const { accountId, free, premium } of months) {
      const plan = plans.get(accountId);
      if (plan === undefined) throw new Error('an account that was just read is missing');
      const { maxCredits, flexLimit, freeCredits } = plan;
      accounts.set(accountId, { free, premium, freeCredits, limit: maxCredits + flexLimit });
    }
    return accounts;
  }

  async monthUsage(accountId: string, at: number): Promise<MonthUsage | undefined> {
    const month = monthOf(at);
    const [row] = await this.#db
      .getExecutor()
      .provideConnection((connection) => this.#queries.monthUsage.run(connection, { accountId, month }));
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

  rows(): readonly (readonly (string | number)[])[] {
    return [...this.#sums.values()].map(({ charge: { accountId, credentialId, kind }, free, premium }) => [
      accountId,
      credentialId,
      kind,
      free,
      premium,
    ]);
  }
}

function monthRows(accounts: ReadonlyMap<string, Account>): readonly (readonly (string | number)[])[] {
  return [...accounts].map(([accountId, { free, premium }]) => [accountId, free, premium]);
}

type Queries = ReturnType<typeof buildQueries>;

function buildQueries(db: Kysely<Tables>) {
  const accountId = textSlot('accountId');
  const month = textSlot('month');
  const idsOf = (count: number) => Array.from({ length: count }, (_, row) => rowSlot<string>(row, 0));
  return {
    plans: new BuiltQueries((count) =>
      db
        .selectFrom('accounts')
        .select(['id', 'max_credits as maxCredits', 'flex_limit as flexLimit', 'free_credits as freeCredits'])
        .where('id', 'in', idsOf(count)),
    ),
    monthUsage: new BuiltQuery(
      db
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
        .where('accounts.id', '=', accountId),
    ),
    /** Locks the sums of the month and creates missing ones. All processes use the same order, so that they never deadlock. */
    holdMonths: new BuiltQueries((count) =>
      db
        .insertInto('usage_months')
        .columns(['account_id', 'month', 'free_credits', 'premium_credits'])
        .expression(
          db
            .selectFrom('accounts')
            .select(['id', sql<string>`cast(${month} as text)`.as('month')])
            .select([sql<number>`0`.as('free_credits'), sql<number>`0`.as('premium_credits')])
            .where('id', 'in', idsOf(count))
            .orderBy('id'),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'month'])
            .doUpdateSet((row) => ({ free_credits: row.ref('usage_months.free_credits') })),
        )
        .returning(['account_id as accountId', 'free_credits as free', 'premium_credits as premium']),
    ),
    setMonths: new BuiltQueries((count) =>
      db
        .insertInto('usage_months')
        .values(
          Array.from({ length: count }, (_, row) => ({
            account_id: rowSlot<string>(row, 0),
            month,
            free_credits: rowSlot<number>(row, 1),
            premium_credits: rowSlot<number>(row, 2),
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'month']).doUpdateSet((row) => ({
            free_credits: row.ref('excluded.free_credits'),
            premium_credits: row.ref('excluded.premium_credits'),
          })),
        ),
    ),
    /** The last batch of a writer, and which of its charges were accepted. */
    nameBatch: new BuiltQuery(
      db
        .insertInto('charge_writers')
        .values({
          writer: textSlot('writer'),
          number: numberSlot('number'),
          charged: textSlot('charged'),
          at: numberSlot('at'),
        })
        .onConflict((conflict) =>
          conflict.column('writer').doUpdateSet((row) => ({
            number: row.ref('excluded.number'),
            charged: row.ref('excluded.charged'),
            at: row.ref('excluded.at'),
          })),
        ),
    ),
    batchesOf: new BuiltQueries((count) =>
      db.selectFrom('charge_writers').select(['writer', 'number', 'charged']).where('writer', 'in', idsOf(count)),
    ),
    /** Returns those that were not replayed before. */
    nameReplays: new BuiltQueries((count) =>
      db
        .insertInto('charge_replays')
        .values(
          Array.from({ length: count }, (_, row) => ({
            writer: rowSlot<string>(row, 0),
            number: rowSlot<number>(row, 1),
            at: rowSlot<number>(row, 2),
          })),
        )
        .onConflict((conflict) => conflict.columns(['writer', 'number']).doNothing())
        .returning(['writer', 'number']),
    ),
    addUsage: new BuiltQueries((count) =>
      db
        .insertInto('usage')
        .values(
          Array.from({ length: count }, (_, row) => ({
            account_id: rowSlot<string>(row, 0),
            credential_id: rowSlot<string>(row, 1),
            day: textSlot('day'),
            kind: rowSlot<string>(row, 2),
            free_credits: rowSlot<number>(row, 3),
            premium_credits: rowSlot<number>(row, 4),
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'day', 'credential_id', 'kind']).doUpdateSet((row) => ({
            free_credits: row('usage.free_credits', '+', row.ref('excluded.free_credits')),
            premium_credits: row('usage.premium_credits', '+', row.ref('excluded.premium_credits')),
          })),
        ),
    ),
  };
}
