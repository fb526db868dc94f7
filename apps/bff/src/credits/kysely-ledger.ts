import { dayOf } from '@l4desk/protocol';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Charge, Commit, LedgerTable, Standing } from './ledger-table.ts';
import { monthOf } from './month.ts';

/** The ledger over the tables, whichever database holds them. */
export class KyselyLedger implements LedgerTable {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  commit(at: number, charges: readonly Charge[]): Promise<Commit> {
    const places = new Map<string, number[]>();
    for (const [place, { accountId }] of charges.entries()) {
      const known = places.get(accountId);
      if (known === undefined) places.set(accountId, [place]);
      else known.push(place);
    }
    return this.#db.transaction().execute(async (transaction) => {
      const charged = charges.map(() => false);
      const standings: Standing[] = [];
      // In one order everywhere, so that two processes never wait for each other's accounts in a circle.
      for (const [accountId, itsPlaces] of [...places].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const its = itsPlaces.map((place) => charges[place]).filter((charge) => charge !== undefined);
        const outcome = await commitOfAccount(transaction, accountId, at, its);
        if (outcome === undefined) continue;
        standings.push(outcome.standing);
        for (const [index, place] of itsPlaces.entries()) charged[place] = outcome.charged[index] === true;
      }
      return { charged, standings };
    });
  }

  async standing(accountId: string, at: number): Promise<Standing | undefined> {
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

/** One account's part of a commit; undefined when there is no such account. */
async function commitOfAccount(
  transaction: Transaction<Tables>,
  accountId: string,
  at: number,
  charges: readonly Charge[],
): Promise<{ readonly charged: readonly boolean[]; readonly standing: Standing } | undefined> {
  const account = await transaction
    .selectFrom('accounts')
    .select(['max_credits', 'flex_limit', 'free_credits'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (account === undefined) return undefined;
  const month = monthOf(at);
  const limit = account.max_credits + account.flex_limit;
  const before = await heldMonth(transaction, accountId, month);
  let { free, premium } = before;
  const sums = new Map<string, Sum>();
  const charged = charges.map(({ credentialId, kind, credits }) => {
    if (free + premium + credits > limit) return false;
    // The month's free credits first (BILL-18). An allowance that was lowered leaves what was free before as it is.
    const ofFree = Math.min(credits, Math.max(0, account.free_credits - free));
    free += ofFree;
    premium += credits - ofFree;
    const key = `${credentialId} ${kind}`;
    const sum = sums.get(key) ?? { credentialId, kind, free: 0, premium: 0 };
    sum.free += ofFree;
    sum.premium += credits - ofFree;
    sums.set(key, sum);
    return true;
  });
  if (sums.size > 0) {
    await addUsage(transaction, accountId, dayOf(at), [...sums.values()]);
    await transaction
      .updateTable('usage_months')
      .set({ free_credits: free, premium_credits: premium })
      .where('account_id', '=', accountId)
      .where('month', '=', month)
      .execute();
  }
  return { charged, standing: { accountId, month, used: free + premium, limit } };
}

/** The month's sums, with its row held until the transaction ends: others who charge the account wait for us. */
async function heldMonth(
  transaction: Transaction<Tables>,
  accountId: string,
  month: string,
): Promise<{ readonly free: number; readonly premium: number }> {
  return await transaction
    .insertInto('usage_months')
    .values({ account_id: accountId, month, free_credits: 0, premium_credits: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'month'])
        .doUpdateSet((row) => ({ free_credits: row.ref('usage_months.free_credits') })),
    )
    .returning(['free_credits as free', 'premium_credits as premium'])
    .executeTakeFirstOrThrow();
}

async function addUsage(
  transaction: Transaction<Tables>,
  accountId: string,
  day: string,
  sums: readonly Sum[],
): Promise<void> {
  await transaction
    .insertInto('usage')
    .values(
      sums.map(({ credentialId, kind, free, premium }) => ({
        account_id: accountId,
        credential_id: credentialId,
        day,
        kind,
        free_credits: free,
        premium_credits: premium,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'day', 'credential_id', 'kind']).doUpdateSet((row) => ({
        free_credits: row('usage.free_credits', '+', row.ref('excluded.free_credits')),
        premium_credits: row('usage.premium_credits', '+', row.ref('excluded.premium_credits')),
      })),
    )
    .execute();
}
