/** Credits charged to an account for one operation by one of its credentials. */
export interface Charge {
  readonly accountId: string;
  readonly credentialId: string;
  /** The kind of use, stored under its name on the wire. */
  readonly kind: string;
  readonly credits: number;
}

/** Charges that were made together, with a name that no other batch ever has. */
export interface Batch {
  /** The process that made it, from its start to its end. */
  readonly writer: string;
  /** Ascending, from 1. */
  readonly number: number;
  /** Ms since the Unix epoch. Decides the day and month to which it is charged. */
  readonly at: number;
  readonly charges: readonly Charge[];
}

/** The credits of an account in a calendar month (UTC). */
export interface MonthUsage {
  readonly accountId: string;
  /** `2026-11`. */
  readonly month: string;
  /** Credits used in that month, including free ones. */
  readonly used: number;
  /** Plan ceiling plus flex limit (BILL-9). */
  readonly limit: number;
}

/** The result of charges that were committed together. */
export interface Commit {
  /** For each charge, in order: true if it is in the ledger, false if it would have crossed the limit and is not. */
  readonly charged: readonly boolean[];
  /** The current credits of each account among the charges. */
  readonly monthUsages: readonly MonthUsage[];
}

/** The stored ledger: every method is one transaction with plain data. A rejected commit stores nothing. */
export interface LedgerTable {
  /** Stores charges made at a time (ms), durably; checks the limit inside the transaction too (BILL-10). */
  commit(at: number, charges: readonly Charge[]): Promise<Commit>;
  /** The credits of an account in the month of a time (ms). Undefined for an unknown account. */
  monthUsage(accountId: string, at: number): Promise<MonthUsage | undefined>;
  /** Resolves once a write is as durable as a charge would be. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
