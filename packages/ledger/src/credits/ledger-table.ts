/** Credits charged to an account for one operation by one of its credentials. */
export interface Charge {
  readonly accountId: string;
  readonly credentialId: string;
  /** The kind of use, stored under its name on the wire. */
  readonly kind: string;
  readonly credits: number;
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

/** The state of a ledger that can work without its database for a while. Counts are of this process. */
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

/**
 * The stored ledger. Every method is one transaction. Arguments and results are plain data, so that it can run in another thread.
 * Methods reject with DatabaseError; a rejected commit stores nothing.
 */
export interface LedgerTable {
  /**
   * Stores charges made at a time (ms), in order. They are durable when it resolves. The limit is also checked here, inside the
   * transaction, so that it holds regardless of what other processes on the same database charge (BILL-10).
   */
  commit(at: number, charges: readonly Charge[]): Promise<Commit>;
  /** The credits of an account in the month of a time (ms). Undefined for an unknown account. */
  monthUsage(accountId: string, at: number): Promise<MonthUsage | undefined>;
  /** Resolves once a write is as durable as a charge would be. */
  ping(): Promise<void>;
  /** The state of the spool. Undefined without one. */
  spool?(): Promise<SpoolHealth | undefined>;
  /** Closes the database. Later calls reject. */
  close(): Promise<void>;
}
