/** Credits an account is charged for one operation, by one of its credentials. */
export interface Charge {
  readonly accountId: string;
  readonly credentialId: string;
  /** The kind of use, kept as it is named on the wire. */
  readonly kind: string;
  readonly credits: number;
}

/** The credits of an account in a calendar month (UTC). */
export interface Standing {
  readonly accountId: string;
  /** `2026-11`. */
  readonly month: string;
  /** Credits used in that month, free ones too. */
  readonly used: number;
  /** Plan ceiling and flex limit together (BILL-9). */
  readonly limit: number;
}

/** The outcome of charges that were committed together. */
export interface Commit {
  /** For each charge, in order: it is in the ledger, or it would have crossed the limit and is not. */
  readonly charged: readonly boolean[];
  /** The credits of each account in it now. */
  readonly standings: readonly Standing[];
}

/** The state of a ledger that works without its database for a while (PG-9). Counts are of this process. */
export interface SpoolHealth {
  /** How long the database has been away, or its spooled charges not replayed, in ms; null while it is there. */
  readonly lostForMs: number | null;
  /** What kept it from coming back, in a sentence. */
  readonly problem: string | null;
  /** Batches of charges that wait for the database. */
  readonly waiting: number;
  readonly spooled: number;
  readonly replayed: number;
}

/**
 * The ledger as it is kept. Every method is one transaction; arguments and results are plain data, so that a thread can
 * stand between. Methods reject with DatabaseError; nothing of a rejected commit is kept.
 */
export interface LedgerTable {
  /**
   * Keeps charges made at a time (ms), in their order: durable when it resolves. The limit is looked at here too, inside
   * the transaction, so that it holds whatever other processes on the same database charge (BILL-10).
   */
  commit(at: number, charges: readonly Charge[]): Promise<Commit>;
  /** The credits of an account in the month of a time (ms); undefined for an unknown account. */
  standing(accountId: string, at: number): Promise<Standing | undefined>;
  /** Resolves when a write was durable, as a charge would be. */
  ping(): Promise<void>;
  /** How the spool does; undefined without one. */
  spool?(): Promise<SpoolHealth | undefined>;
  /** Closes the database; calls after it reject. */
  close(): Promise<void>;
}
