import type { CreditStanding, InfoKind, L4_BOOK_UPDATES, RELAYED } from '@l4desk/protocol';

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

/** An operation that costs credits, by its name on the wire. The ledger stores it as the kind of a use. */
type Operation = InfoKind | typeof L4_BOOK_UPDATES | typeof RELAYED;

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

/** Counters of the meter for `/metrics`. They only increase. */
export interface MeterHealth {
  readonly commits: number;
  readonly charges: number;
  readonly creditsCharged: number;
  /** Refused because the limit would have been crossed. */
  readonly refusals: number;
  /** Commits that the database did not accept. */
  readonly failures: number;
}

/** Meters operations that cost credits: `reserve`, do it, `charge`, respond; or `release` if it failed. */
export interface Meter {
  /** Holds credits, so that simultaneous calls cannot cross the limit together (BILL-10). A refusal is returned. */
  reserve(
    payer: Payer,
    operation: Operation,
    credits: number,
  ): Promise<Reservation | LedgerError> | Reservation | LedgerError;

  /** Resolves with the credits of an account that cannot pay even one, or undefined. Rejects without a database. */
  exhausted?(accountId: string): Promise<CreditStanding | undefined>;

  /** Resolves when charges can be stored. Rejects, or waits, while they cannot. */
  ping?(): Promise<void>;

  /** The meter's counters, if it has any. */
  health?(): MeterHealth;
}
