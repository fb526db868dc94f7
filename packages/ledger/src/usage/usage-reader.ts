import { type Usage, type UsageWindow, usageDays } from '@l4desk/protocol';
import type { Kysely } from 'kysely';
import { shownKey } from '../accounts/keys.ts';
import type { Account } from '../accounts/store.ts';
import type { Tables } from '../database/tables.ts';
import { type KindSum, kindSums, type UsageSums, usageSums } from './usage-sums.ts';

/** The reader as its users call it, over a port. */
export type UsageReader = Pick<KyselyUsageReader, keyof KyselyUsageReader>;

/**
 * Reads usage, with plain data, from the tables of `openDatabase`: in a thread of its own, because a window of ten years is
 * tens of thousands of rows. Closing it closes the database.
 */
export class KyselyUsageReader {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The JSON of the endpoint's response (§4.8); undefined without such an account. Rejects with DatabaseError. */
  async usageJson(accountId: string, window: UsageWindow): Promise<Uint8Array | undefined> {
    const account = await this.#db
      .selectFrom('accounts')
      .select(['plan', 'max_credits as maxCredits', 'flex_limit as flexLimit'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    if (account === undefined) return undefined;
    const sums = await usageSums(this.#db, accountId, window);
    return new TextEncoder().encode(JSON.stringify(usageResponse(account, window, sums)));
  }

  /** The credits of a window by key and kind of use, highest first. Rejects with DatabaseError. */
  kindSums(accountId: string, window: UsageWindow): Promise<readonly KindSum[]> {
    return kindSums(this.#db, accountId, window);
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }
}

/** The response of the usage endpoint (§4.8): every day of the window (D41), keys in their shown form (D42). */
export function usageResponse(
  { plan, maxCredits, flexLimit }: Pick<Account, 'plan' | 'maxCredits' | 'flexLimit'>,
  window: UsageWindow,
  { days, credentials }: UsageSums,
): Usage {
  const byDay = new Map(days.map((sum) => [sum.day, sum]));
  const premium = days.reduce((sum, day) => sum + day.premium, 0);
  const free = days.reduce((sum, day) => sum + day.free, 0);
  return {
    data: {
      period: { from: window.from, to: window.to },
      aggregate: {
        credits_consumed: premium + free,
        max_credits: maxCredits,
        premium_credits: premium,
        free_credits: free,
        plan,
        flex_credits: { limit: flexLimit },
      },
      by_day: usageDays(window).map((date) => ({
        date,
        premium_credits: byDay.get(date)?.premium ?? 0,
        free_credits: byDay.get(date)?.free ?? 0,
      })),
      by_api_key: credentials.map((credential) => ({ apikey: shownKey(credential), credits: credential.credits })),
    },
  };
}
