import { dayOf } from '@l4desk/protocol';
import type { DatabaseConnection, Kysely } from 'kysely';
import { BuiltQuery, numberSlot, textSlot } from '../database/built-query.ts';
import type { Tables } from '../database/tables.ts';
import type { Charge, Commit, LedgerTable, Standing } from './ledger-table.ts';
import { monthOf } from './month.ts';

/** The ledger's table over the database of `openDatabase`, in the thread that calls it. Closing it closes the database. */
export class KyselyLedger implements LedgerTable {
  readonly #db: Kysely<Tables>;
  readonly #queries: Queries;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
    this.#queries = buildQueries(db);
  }

  commit(at: number, charges: readonly Charge[]): Promise<Commit> {
    const byAccount = new Map<string, number[]>();
    for (const [place, { accountId }] of charges.entries()) {
      const places = byAccount.get(accountId);
      if (places === undefined) byAccount.set(accountId, [place]);
      else places.push(place);
    }
    return this.#db.transaction().execute((transaction) =>
      // One connection for all of it: fetched statement by statement it costs more than the statements.
      transaction.getExecutor().provideConnection((connection) => this.#commitOn(connection, at, charges, byAccount)),
    );
  }

  async #commitOn(
    connection: DatabaseConnection,
    at: number,
    charges: readonly Charge[],
    byAccount: ReadonlyMap<string, readonly number[]>,
  ): Promise<Commit> {
    const charged = charges.map(() => false);
    const standings: Standing[] = [];
    // In one order everywhere, so that two processes never wait for each other's accounts in a circle.
    for (const [accountId, places] of [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const its = places.map((place) => ({ place, charge: charges[place] }));
      const standing = await this.#commitOfAccount(connection, accountId, at, its, charged);
      if (standing !== undefined) standings.push(standing);
    }
    return { charged, standings };
  }

  /** One account's part of a commit; undefined when there is no such account. */
  async #commitOfAccount(
    connection: DatabaseConnection,
    accountId: string,
    at: number,
    charges: readonly { readonly place: number; readonly charge: Charge | undefined }[],
    charged: boolean[],
  ): Promise<Standing | undefined> {
    const month = monthOf(at);
    const [account] = await this.#queries.plan.run(connection, { accountId });
    if (account === undefined) return undefined;
    const limit = account.maxCredits + account.flexLimit;
    const [before] = await this.#queries.holdMonth.run(connection, { accountId, month });
    if (before === undefined) throw new Error('a row that was just written is missing');
    let { free, premium } = before;
    const sums = new Map<string, Sum>();
    for (const { place, charge } of charges) {
      if (charge === undefined || free + premium + charge.credits > limit) continue;
      const { credentialId, kind, credits } = charge;
      // The month's free credits first (BILL-18). An allowance that was lowered leaves what was free before as it is.
      const ofFree = Math.min(credits, Math.max(0, account.freeCredits - free));
      free += ofFree;
      premium += credits - ofFree;
      const key = `${credentialId} ${kind}`;
      const sum = sums.get(key) ?? { credentialId, kind, free: 0, premium: 0 };
      sum.free += ofFree;
      sum.premium += credits - ofFree;
      sums.set(key, sum);
      charged[place] = true;
    }
    const day = dayOf(at);
    for (const sum of sums.values()) await this.#queries.addUsage.run(connection, { accountId, day, ...sum });
    if (sums.size > 0) await this.#queries.setMonth.run(connection, { accountId, month, free, premium });
    return { accountId, month, used: free + premium, limit };
  }

  async standing(accountId: string, at: number): Promise<Standing | undefined> {
    const month = monthOf(at);
    const [row] = await this.#db
      .getExecutor()
      .provideConnection((connection) => this.#queries.standing.run(connection, { accountId, month }));
    if (row === undefined) return undefined;
    const used = (row.free ?? 0) + (row.premium ?? 0);
    return { accountId, month, used, limit: row.maxCredits + row.flexLimit };
  }

  async ping(): Promise<void> {
    const account = await this.#db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
    // Then there is no account to charge.
    if (account === undefined) return;
    // A row that comes and goes in one transaction: it is never visible, and its pages are written as those of a charge.
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

/** Credits of one credential and kind, free and premium. */
interface Sum {
  readonly credentialId: string;
  readonly kind: string;
  free: number;
  premium: number;
}

type Queries = ReturnType<typeof buildQueries>;

function buildQueries(db: Kysely<Tables>) {
  const accountId = textSlot('accountId');
  const month = textSlot('month');
  return {
    plan: new BuiltQuery(
      db
        .selectFrom('accounts')
        .select(['max_credits as maxCredits', 'flex_limit as flexLimit', 'free_credits as freeCredits'])
        .where('id', '=', accountId),
    ),
    standing: new BuiltQuery(
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
    /** The month's sums, with its row held until the transaction ends: others who charge the account wait for us. */
    holdMonth: new BuiltQuery(
      db
        .insertInto('usage_months')
        .values({ account_id: accountId, month, free_credits: 0, premium_credits: 0 })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'month'])
            .doUpdateSet((row) => ({ free_credits: row.ref('usage_months.free_credits') })),
        )
        .returning(['free_credits as free', 'premium_credits as premium']),
    ),
    setMonth: new BuiltQuery(
      db
        .updateTable('usage_months')
        .set({ free_credits: numberSlot('free'), premium_credits: numberSlot('premium') })
        .where('account_id', '=', accountId)
        .where('month', '=', month),
    ),
    addUsage: new BuiltQuery(
      db
        .insertInto('usage')
        .values({
          account_id: accountId,
          credential_id: textSlot('credentialId'),
          day: textSlot('day'),
          kind: textSlot('kind'),
          free_credits: numberSlot('free'),
          premium_credits: numberSlot('premium'),
        })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'day', 'credential_id', 'kind']).doUpdateSet((row) => ({
            free_credits: row('usage.free_credits', '+', row.ref('excluded.free_credits')),
            premium_credits: row('usage.premium_credits', '+', row.ref('excluded.premium_credits')),
          })),
        ),
    ),
  };
}
