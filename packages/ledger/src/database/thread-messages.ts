import type { RpcResponse } from '@l4desk/runtime/node';
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

/** The methods of a part, which the thread names once it is open. */
export type ThreadMethods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** A message from the thread: that it is open and with which methods, or why it failed, or the response to a call. */
export type ThreadMessage =
  | { readonly kind: 'open'; readonly methods: readonly string[] }
  | { readonly kind: 'failed'; readonly error: ThreadError }
  | RpcResponse<ThreadError>;

/** An error as it is passed between threads. */
export interface ThreadError {
  readonly code: DatabaseError['code'];
  readonly message: string;
}
