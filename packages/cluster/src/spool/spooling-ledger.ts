import { randomBytes } from 'node:crypto';
import {
  type Batch,
  type Charge,
  type Commit,
  DatabaseError,
  type KyselyLedger,
  type LedgerTable,
  type MonthUsage,
} from '@l4desk/ledger';
import { monthOf } from '@l4desk/protocol';
import type { ChargeSpool } from './charge-spool.ts';

/** The state of the spool. Counts are of this process. */
export interface SpoolHealth {
  /** How long the database has been unreachable, or its spooled charges not replayed, in ms. Null while it is reachable. */
  readonly lostForMs: number | null;
  /** Why the database has not come back, as a sentence. */
  readonly problem: string | null;
  /** Batches of charges that wait for the database. */
  readonly waiting: number;
  readonly spooled: number;
  readonly replayed: number;
}

const REPLAY_BATCHES = 500;

/** Pauses between attempts to reach the database again: the first, and the longest. */
const PAUSE_MS = { first: 100, longest: 5000 } as const;

export interface SpoolingLedgerDeps {
  readonly table: Pick<KyselyLedger, 'commitBatch' | 'replay' | 'monthUsage' | 'ping' | 'close'>;
  readonly spool: ChargeSpool;
  /** How long charges are stored in the spool only, from the moment the database was lost, in ms. */
  readonly spoolMs: number;
  /** Monotonic ms. */
  readonly elapsed?: () => number;
  /** Waits this many ms. Tests pass their own. */
  readonly pause?: (ms: number) => Promise<void>;
}

/**
 * The ledger's table over PostgreSQL, which works without it for a bounded time: charges then go to a spool on the
 * local disk and are replayed later. Each counts once, because PostgreSQL stores every batch's name in the transaction
 * of its charges.
 *
 * Meanwhile an account's limit is that of its last known usage, without what other services spool.
 */
export class SpoolingLedger implements LedgerTable {
  readonly #deps: SpoolingLedgerDeps;
  readonly #elapsed: () => number;
  readonly #pause: (ms: number) => Promise<void>;
  readonly #writer = `writer_${randomBytes(12).toString('hex')}`;
  readonly #monthUsages = new Map<string, MonthUsage>();
  #lastNumber = 0;
  /** When the database was lost. Undefined while it is reachable and the spool is empty. */
  #lostAt: number | undefined;
  #isReturning = false;
  /** The last part of a replay, which charges wait for. */
  #lastPart: Promise<void> | undefined;
  #problem: string | null = null;
  #isClosing = false;
  #spooled = 0;
  #replayed = 0;

  constructor(deps: SpoolingLedgerDeps) {
    this.#deps = deps;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
    this.#pause = deps.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()));
    // What an ended process left behind is charged before anything else.
    if (deps.spool.size > 0) this.#lose();
  }

  async commit(at: number, charges: readonly Charge[]): Promise<Commit> {
    await this.#lastPart;
    this.#lastNumber += 1;
    const batch: Batch = { writer: this.#writer, number: this.#lastNumber, at, charges };
    if (this.#lostAt === undefined) {
      try {
        return this.#learn(await this.#deps.table.commitBatch(batch));
      } catch (error) {
        this.#loseOrThrow(error);
        return this.#spoolWhole(batch);
      }
    }
    return this.#spool(batch);
  }

  async monthUsage(accountId: string, at: number): Promise<MonthUsage | undefined> {
    if (this.#lostAt === undefined) {
      try {
        const monthUsage = await this.#deps.table.monthUsage(accountId, at);
        if (monthUsage !== undefined && this.#lostAt === undefined) this.#monthUsages.set(accountId, monthUsage);
        return monthUsage;
      } catch (error) {
        this.#loseOrThrow(error);
      }
    }
    this.#mustServe();
    const known = this.#known(accountId, at);
    if (known === undefined) throw new DatabaseError('unreachable', 'The credits of the account are not known.');
    return known;
  }

  async ping(): Promise<void> {
    if (this.#lostAt === undefined) {
      try {
        await this.#deps.table.ping();
        return;
      } catch (error) {
        this.#loseOrThrow(error);
      }
    }
    this.#mustServe();
  }

  spool(): Promise<SpoolHealth> {
    const lostForMs = this.#lostAt === undefined ? null : this.#elapsed() - this.#lostAt;
    const waiting = lostForMs === null ? 0 : this.#deps.spool.size;
    return Promise.resolve({
      problem: this.#problem,
      lostForMs,
      waiting,
      spooled: this.#spooled,
      replayed: this.#replayed,
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#deps.table.close();
    this.#deps.spool.close();
  }

  /** Spools a batch that the database may already have, regardless of the limit: what it accepted cannot be undone. */
  #spoolWhole(batch: Batch): Commit {
    this.#add(batch);
    const monthUsages = new Map<string, MonthUsage>();
    for (const { accountId, credits } of batch.charges) {
      const monthUsage = monthUsages.get(accountId) ?? this.#known(accountId, batch.at);
      if (monthUsage !== undefined) monthUsages.set(accountId, { ...monthUsage, used: monthUsage.used + credits });
    }
    return this.#learn({ charged: batch.charges.map(() => true), monthUsages: [...monthUsages.values()] });
  }

  /** Spools the charges that fit the limits. */
  #spool(batch: Batch): Commit {
    const monthUsages = new Map<string, MonthUsage>();
    const charged = batch.charges.map(({ accountId, credits }) => {
      const monthUsage = monthUsages.get(accountId) ?? this.#known(accountId, batch.at);
      if (monthUsage === undefined) return false;
      const fits = monthUsage.used + credits <= monthUsage.limit;
      monthUsages.set(accountId, fits ? { ...monthUsage, used: monthUsage.used + credits } : monthUsage);
      return fits;
    });
    this.#add({ ...batch, charges: batch.charges.filter((_, index) => charged[index]) });
    return this.#learn({ charged, monthUsages: [...monthUsages.values()] });
  }

  #add(batch: Batch): void {
    this.#mustServe();
    if (batch.charges.length === 0) return;
    this.#deps.spool.add(batch);
    this.#spooled += 1;
  }

  #learn(commit: Commit): Commit {
    for (const monthUsage of commit.monthUsages) this.#monthUsages.set(monthUsage.accountId, monthUsage);
    return commit;
  }

  /** Returns the last known credits of an account, including what was spooled since; in a new month, with nothing used. */
  #known(accountId: string, at: number): MonthUsage | undefined {
    const known = this.#monthUsages.get(accountId);
    const month = monthOf(at);
    return known === undefined || known.month === month ? known : { ...known, month, used: 0 };
  }

  #mustServe(): void {
    if (this.#lostAt !== undefined && this.#elapsed() - this.#lostAt < this.#deps.spoolMs) return;
    throw new DatabaseError('unreachable', 'The database has been away for too long.');
  }

  #loseOrThrow(error: unknown): void {
    if (!(error instanceof DatabaseError) || error.code !== 'unreachable') throw error;
    this.#problem = error.message;
    this.#lose();
  }

  #lose(): void {
    this.#lostAt ??= this.#elapsed();
    if (this.#isReturning) return;
    this.#isReturning = true;
    void this.#return();
  }

  /** Retries indefinitely to reach the database, then replays what was spooled. This is the only way to leave the lost state. */
  async #return(): Promise<void> {
    for (let pauseMs: number = PAUSE_MS.first; !this.#isClosing; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest)) {
      // Randomized, so that the many services that lost one database do not come back at the same moment.
      await this.#pause(pauseMs * (0.5 + Math.random() / 2));
      if (this.#isClosing) return;
      try {
        await this.#deps.table.ping();
        await this.#replayAll();
        return;
      } catch (error) {
        this.#problem = error instanceof Error ? error.message : String(error);
      }
    }
  }

  async #replayAll(): Promise<void> {
    // Batches of processes that have ended. A live process that shares the spool also replays its own; each batch counts once.
    const left = this.#deps.spool.ofOthers(this.#writer);
    for (let start = 0; start < left.length; start += REPLAY_BATCHES)
      await this.#replay(left.slice(start, start + REPLAY_BATCHES));
    for (;;) {
      const batches = this.#deps.spool.first(this.#writer, REPLAY_BATCHES);
      if (batches.length === 0) {
        // In the same turn as the check for an empty spool, so no batch comes in between.
        this.#lostAt = undefined;
        this.#problem = null;
        this.#isReturning = false;
        return;
      }
      const replayed = this.#replay(batches);
      // Charges wait for the last part. Otherwise there would always be one more under load.
      if (batches.length < REPLAY_BATCHES) this.#lastPart = replayed.catch(() => {});
      await replayed;
    }
  }

  async #replay(batches: readonly Batch[]): Promise<void> {
    await this.#deps.table.replay(batches);
    this.#deps.spool.remove(batches);
    this.#replayed += batches.length;
  }
}
