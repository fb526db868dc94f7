import type { Store } from '../accounts/store.ts';
import type { LedgerTable } from '../credits/ledger-table.ts';
import type { UsageReader } from '../usage/usage-reader.ts';
import type { DatabaseError } from './database-error.ts';

/** The parts that a database thread can serve, each over a connection of its own. */
export interface Parts {
  readonly store: Store;
  readonly ledger: LedgerTable;
  readonly usage: UsageReader;
}

/** The data a thread is started with. */
export interface ThreadData {
  /** See `openDatabase`. */
  readonly place: string;
  readonly part: keyof Parts;
  readonly spool: SpoolPlace | undefined;
}

/** Where the ledger's charges go while PostgreSQL is unreachable, and for how long. */
export interface SpoolPlace {
  readonly directory: string;
  readonly spoolMs: number;
}

/** A call to the thread. */
export interface ThreadCall {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A message from the thread: that it is open and with which methods, or why it failed, or the result of a call. */
export type ThreadMessage =
  | { readonly kind: 'open'; readonly methods: readonly string[] }
  | { readonly kind: 'failed'; readonly error: ThreadError }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: ThreadError };

/** An error as it is passed between threads. */
export interface ThreadError {
  readonly code: DatabaseError['code'];
  readonly message: string;
}
