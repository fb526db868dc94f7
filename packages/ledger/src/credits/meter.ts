import type { ApiError, CreditStanding, InfoKind, L4_BOOK_UPDATES, RELAYED } from '@l4desk/protocol';
import type { SpoolHealth } from './ledger-table.ts';

/** Something that costs credits, by its name on the wire; the ledger keeps it as the kind of a use. */
type Operation = InfoKind | typeof L4_BOOK_UPDATES | typeof RELAYED;

/** Whose credits are used, and by which of its keys. */
export interface Payer {
  readonly accountId: string;
  readonly credentialId: string;
}

/** Credits held for one operation, until they are charged or given back. Only the first of the two counts. */
export interface Reservation {
  /**
   * Charges what is held; durable when it resolves, and only then may the caller have the result (BILL-19). Rejects with
   * ApiError: 402 `credits_exhausted` when another process used the credits meanwhile, 503 `ledger_unavailable` when
   * the database did not take it. Nothing is charged then.
   */
  charge(): Promise<void>;
  /** The operation failed or was refused: nothing is charged. After `charge` it does nothing. */
  release(): void;
}

/** How the meter is doing, for `/metrics`; the figures only rise. */
export interface MeterHealth {
  readonly commits: number;
  readonly charges: number;
  readonly creditsCharged: number;
  /** Refused because the limit would have been crossed. */
  readonly refusals: number;
  /** Commits the database did not take. */
  readonly failures: number;
}

/** Meters what costs credits: `reserve`, do it, `charge`, respond; or `release` if it failed. */
export interface Meter {
  /**
   * Holds credits for an operation that is about to be done, so that calls that arrive together cannot cross the limit
   * together (BILL-10). A refusal is a value: 402 `credits_exhausted`, or 503 `ledger_unavailable`, which an
   * unknown account gets too. `credits` is a whole number. Returns at once from memory, and a promise for an account that
   * was not seen for a moment.
   */
  reserve(
    payer: Payer,
    operation: Operation,
    credits: number,
  ): Promise<Reservation | ApiError> | Reservation | ApiError;

  /** The credits of an account that cannot pay for a single one; undefined while it can. Rejects when the database does not respond. */
  exhausted?(accountId: string): Promise<CreditStanding | undefined>;

  /** Resolves when charges can be kept; rejects, or waits, while they cannot. */
  ping?(): Promise<void>;

  /** How it does without its database, where it can; else undefined. */
  spool?(): Promise<SpoolHealth | undefined>;

  /** Where the meter keeps figures. */
  health?(): MeterHealth;
}
