import type { UsageWindow } from '@l4desk/protocol';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { usageResponse } from './usage-response.ts';
import { usageSums } from './usage-sums.ts';

/**
 * Reads the response of the usage endpoint. Arguments and results are plain data, so that it can run in another thread: a window
 * of ten years is tens of thousands of rows and thousands of days, and neither key lookups nor the thread that serves HTTP may
 * wait for them.
 */
export interface UsageReader {
  /**
   * The body of the endpoint's response (§4.8), JSON in UTF-8. Undefined if the account does not exist. Rejects with
   * DatabaseError.
   */
  usageJson(accountId: string, window: UsageWindow): Promise<Uint8Array | undefined>;
  /** Closes the database. Later calls reject. */
  close(): Promise<void>;
}

/** The reader over the tables of `openDatabase`, in the calling thread. Closing it closes the database. */
export class KyselyUsageReader implements UsageReader {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

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

  close(): Promise<void> {
    return this.#db.destroy();
  }
}
