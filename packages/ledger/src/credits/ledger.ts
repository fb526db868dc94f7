import { type CreditStanding, monthOf, nextMonth } from '@l4desk/protocol';
import { inTime } from '../database/database-error.ts';
import type { Charge, Commit, LedgerTable, MonthUsage } from './ledger-table.ts';

/** Why credits cannot be held or charged. Nothing is charged. */
export class LedgerError extends Error {
  /** `credits_exhausted`: the account's credits do not suffice; `ledger_unavailable`: the database does not accept charges now. */
  readonly code: 'credits_exhausted' | 'ledger_unavailable';
  /** The account's credits, if they do not suffice. */
  readonly credits: CreditStanding | undefined;

  constructor(code: LedgerError['code'], message: string, details: { credits?: CreditStanding; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'LedgerError';
    this.code = code;
    this.credits = details.credits;
  }
}

/** The account whose credits are used, and the key that uses them. */
export interface Payer {
  readonly accountId: string;
  readonly credentialId: string;
}

/** Credits held for one operation, until they are charged or released. Only the first of the two calls counts. */
export interface Reservation {
  /**
   * Charges the held credits, durably, before the caller gets the result (BILL-19). Rejects with LedgerError, and then
   * nothing is charged: `credits_exhausted` if another process used them, or `ledger_unavailable`.
   */
  charge(): Promise<void>;
  /** The operation failed or was refused: nothing is charged. Does nothing after `charge`. */
  release(): void;
}

/** What operations are metered with: `reserve`, do it, `charge`, respond; or `release` if it failed. */
export type Meter = Pick<Ledger, 'reserve'> & Partial<Pick<Ledger, 'exhausted' | 'ping' | 'health'>>;

/** How long `reserve` uses an account's month usage: a bound on how late a changed plan counts. */
const MONTH_USAGE_AGE_MS_MAX = 2000;

/** How long a successful write proves that the next one succeeds: `/readyz` needs no key, and a write costs a flush. */
const WRITTEN_AGE_MS_MAX = 2000;

/** The shortest time between two commits. Each costs the same processor time, however many charges are in it. */
const COMMIT_EVERY_MS = 2;

/** Each kind of failure is logged at most this often, in ms: while the database is away, every call has one. */
const BETWEEN_FAILURES_MS = 1000;

/** What the ledger depends on. */
export interface LedgerDeps {
  /** Where charges are stored: `KyselyLedger`, or a thread with one (`openDatabaseThread('ledger', …)`). */
  readonly table: LedgerTable;
  /** Ms since the Unix epoch. Days and months are derived from it. */
  readonly now: () => number;
  /** Monotonic ms, used for the age of a month usage. Defaults to those of this process. */
  readonly elapsed?: () => number;
  /** Receives failures. A pino logger fits. */
  readonly log: { error(fields: object, message: string): void };
}

interface Known {
  monthUsage: MonthUsage | undefined;
  /** When the database returned it, or was asked for it. */
  readAt: number;
  /** Credits held for operations in flight, including those being charged. */
  reserved: number;
  reading: Promise<void> | undefined;
}

interface Pending {
  readonly charge: Charge;
  readonly resolve: () => void;
  readonly reject: (error: LedgerError) => void;
}

/**
 * Charges credits exactly, never past the month's limit (BILL-9, BILL-10). Reservations are in memory; charges that
 * arrive while a commit is in flight share the next transaction.
 */
export class Ledger {
  readonly #deps: LedgerDeps;
  readonly #elapsed: () => number;
  readonly #accounts = new Map<string, Known>();
  #pending: Pending[] = [];
  #committing: Promise<void> | undefined;
  #committedAt = Number.NEGATIVE_INFINITY;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #pinging: Promise<void> | undefined;
  /** By text: when a failure was logged, and how many were omitted since. */
  readonly #logged = new Map<string, { readonly at: number; omitted: number }>();
  /** For `/metrics`: they only increase. A refusal would have crossed the limit; a failure is a commit that was not accepted. */
  readonly #health = { commits: 0, charges: 0, creditsCharged: 0, refusals: 0, failures: 0 };

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
  }

  /**
   * Holds credits, so that simultaneous calls cannot cross the limit together (BILL-10). A refusal is returned. `operation` is
   * a name on the wire, which the ledger stores as the kind of a use.
   */
  reserve(
    { accountId, credentialId }: Payer,
    operation: string,
    credits: number,
  ): Promise<Reservation | LedgerError> | Reservation | LedgerError {
    const charge = { accountId, credentialId, kind: operation, credits };
    const known = this.#known(accountId);
    if (this.#isFresh(known)) return this.#hold(known, charge);
    return this.#read(accountId, known).then(
      () => this.#hold(known, charge),
      (error: unknown) => this.#unavailable(error),
    );
  }

  /** Resolves with the credits of an account that cannot pay even one, or undefined. Rejects without a database. */
  async exhausted(accountId: string): Promise<CreditStanding | undefined> {
    const known = this.#known(accountId);
    if (!this.#isFresh(known)) await this.#read(accountId, known);
    const { monthUsage } = known;
    if (monthUsage === undefined || monthUsage.used < monthUsage.limit) return undefined;
    return standingOf(monthUsage, 1, this.#deps.now());
  }

  /** Resolves when charges can be stored. Rejects, or waits, while they cannot. */
  ping(): Promise<void> {
    const age = this.#deps.now() - this.#writtenAt;
    if (age >= 0 && age < WRITTEN_AGE_MS_MAX) return Promise.resolve();
    this.#pinging ??= this.#pingNow().finally(() => {
      this.#pinging = undefined;
    });
    return this.#pinging;
  }

  async #pingNow(): Promise<void> {
    await this.#deps.table.ping();
    this.#writtenAt = this.#deps.now();
  }

  health() {
    return { ...this.#health };
  }

  /** Resolves when every charge made so far is in the database or refused. */
  async settled(): Promise<void> {
    await this.#committing;
  }

  #known(accountId: string): Known {
    let known = this.#accounts.get(accountId);
    if (known === undefined) {
      known = { monthUsage: undefined, readAt: 0, reserved: 0, reading: undefined };
      this.#accounts.set(accountId, known);
    }
    return known;
  }

  /** A new month must be read first, because another process may already have charged in it. */
  #isFresh({ monthUsage, readAt }: Known): boolean {
    const isYoung = this.#elapsed() - readAt < MONTH_USAGE_AGE_MS_MAX;
    return monthUsage !== undefined && isYoung && monthUsage.month === monthOf(this.#deps.now());
  }

  /** Reads the credits of the account. Simultaneous callers share one query; each waits for it a limited time. */
  #read(accountId: string, known: Known): Promise<void> {
    known.reading ??= this.#readNow(accountId, known).finally(() => {
      known.reading = undefined;
    });
    return inTime(known.reading);
  }

  async #readNow(accountId: string, known: Known): Promise<void> {
    const readAt = this.#elapsed();
    const before = known.monthUsage;
    const monthUsage = await this.#deps.table.monthUsage(accountId, this.#deps.now());
    // A commit returned the same month meanwhile. The read may lack its charges, even if it began later.
    if (known.monthUsage !== before && known.monthUsage?.month === monthUsage?.month) return;
    known.monthUsage = monthUsage;
    known.readAt = readAt;
  }

  #hold(known: Known, charge: Charge): Reservation | LedgerError {
    const { monthUsage } = known;
    if (monthUsage === undefined) return this.#unavailable(new Error(`no account ${charge.accountId}`));
    if (monthUsage.used + known.reserved + charge.credits > monthUsage.limit) {
      this.#health.refusals += 1;
      return exhausted(monthUsage, known.reserved, charge.credits, this.#deps.now());
    }
    known.reserved += charge.credits;
    let charging: Promise<void> | undefined;
    let isReleased = false;
    return {
      charge: () => {
        if (isReleased) return Promise.reject(new Error('the credits were already released'));
        charging ??= this.#charge(charge);
        return charging;
      },
      release: () => {
        if (isReleased || charging !== undefined) return;
        isReleased = true;
        known.reserved -= charge.credits;
      },
    };
  }

  #charge(charge: Charge): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ charge, resolve, reject });
      this.#committing ??= this.#commitAll();
    });
  }

  /** Commits until nothing is pending. Each turn takes what arrived during the previous one. */
  async #commitAll(): Promise<void> {
    while (this.#pending.length > 0) {
      await this.#gathering();
      this.#committedAt = performance.now();
      await this.#commit(this.#pending.splice(0));
    }
    this.#committing = undefined;
  }

  /** Waits for charges to commit together: those of the same callback or, after a commit, of `COMMIT_EVERY_MS`. */
  #gathering(): Promise<void> {
    const waitMs = this.#committedAt + COMMIT_EVERY_MS - performance.now();
    return new Promise((resolve) => {
      if (waitMs > 0) setTimeout(resolve, waitMs);
      else process.nextTick(resolve);
    });
  }

  async #commit(pending: readonly Pending[]): Promise<void> {
    const { table, now } = this.#deps;
    const [at, readAt] = [now(), this.#elapsed()];
    this.#health.commits += 1;
    let commit: Commit;
    try {
      commit = await table.commit(
        at,
        pending.map(({ charge }) => charge),
      );
    } catch (error) {
      this.#health.failures += 1;
      this.#writtenAt = Number.NEGATIVE_INFINITY;
      this.#logFailure({ err: error, charges: pending.length }, 'charges not persisted, their calls are refused');
      const refusal = unavailable(error);
      for (const { charge, reject } of pending) {
        this.#known(charge.accountId).reserved -= charge.credits;
        reject(refusal);
      }
      return;
    }
    this.#writtenAt = at;
    for (const { charge } of pending) this.#known(charge.accountId).reserved -= charge.credits;
    const monthUsages = new Map(commit.monthUsages.map((monthUsage) => [monthUsage.accountId, monthUsage]));
    for (const [accountId, monthUsage] of monthUsages) {
      const known = this.#known(accountId);
      known.monthUsage = monthUsage;
      known.readAt = readAt;
    }
    for (const [index, { charge, resolve, reject }] of pending.entries()) {
      if (commit.charged[index] === true) {
        this.#health.charges += 1;
        this.#health.creditsCharged += charge.credits;
        resolve();
        continue;
      }
      this.#health.refusals += 1;
      const monthUsage = monthUsages.get(charge.accountId);
      reject(
        monthUsage === undefined
          ? unavailable(new Error(`no account ${charge.accountId}`))
          : exhausted(monthUsage, 0, charge.credits, at),
      );
    }
  }

  #unavailable(error: unknown): LedgerError {
    this.#logFailure({ err: error }, 'reading the credits of an account failed');
    return unavailable(error);
  }

  #logFailure(fields: object, text: string): void {
    const at = this.#elapsed();
    const last = this.#logged.get(text);
    if (last !== undefined && at - last.at < BETWEEN_FAILURES_MS) {
      last.omitted += 1;
      return;
    }
    this.#logged.set(text, { at, omitted: 0 });
    this.#deps.log.error({ ...fields, omitted: last?.omitted ?? 0 }, text);
  }
}

function standingOf({ used, limit }: MonthUsage, needed: number, now: number): CreditStanding {
  return { needed, used, limit, resetsAt: nextMonth(now) };
}

/** Returns the refusal of an operation that would cross the month's limit (D11). */
function exhausted(monthUsage: MonthUsage, reserved: number, credits: number, now: number): LedgerError {
  const { used, limit, resetsAt, ...rest } = standingOf(monthUsage, credits, now);
  const held = reserved === 0 ? '' : `, ${reserved} more are reserved by calls in flight`;
  const needed = credits === 1 ? '1 credit is' : `${credits} credits are`;
  return new LedgerError(
    'credits_exhausted',
    `${needed} needed and ${used} of ${limit} are used this month${held}; they reset at ${new Date(resetsAt).toISOString()}.`,
    { credits: { ...rest, used, limit, resetsAt, heldOnly: used + credits <= limit } },
  );
}

function unavailable(cause: unknown): LedgerError {
  return new LedgerError('ledger_unavailable', 'Charges cannot be stored now.', { cause });
}
