import type { BookLossReason, CoinBatch, DecodedSnapshot } from '@l4desk/protocol';
import type { Finding } from '../finding.ts';
import type { BatchBuffer } from './buffer.ts';

/** Where one coin stands in the bootstrap of the stream (§4.7). */
export type SyncState = IdleState | BufferingState | UnconfirmedState | ResumingState | LiveState | FailedState;

/** What a book was at: it is the source's at this `seq` of this epoch. */
export interface HeldBook {
  readonly epoch: string;
  readonly seq: number;
  readonly height: number;
  /** As in the live state. */
  readonly attempt: number;
}

/** Not subscribed: before the first subscribe and after a disconnect. A book from before is no longer the source's. */
export interface IdleState {
  readonly kind: 'idle';
  /** Number of the last snapshot request: responses are told apart by it. */
  readonly request: number;
  /** Where the book from before stands, if the source's batches can go on from there. */
  readonly held?: HeldBook;
}

/**
 * Subscribed; batches wait for the snapshot that `request` asks for. A book from before is no longer the source's.
 * The subscription is `effective` once it was acknowledged or a batch came; until then it is `assumed`.
 */
export interface BufferingState {
  readonly kind: 'buffering';
  readonly request: number;
  readonly subscription: 'effective' | 'assumed';
  /** 0 for a request made at once, n for one that waits for the n-th backoff. */
  readonly attempt: number;
  /** Why the last book, or the last attempt at one, was lost; null while a subscription has just begun. */
  readonly reason: BookLossReason | null;
  /** One sentence with the facts of the reason. */
  readonly detail: string;
  readonly buffer: BatchBuffer;
}

/**
 * The book is the snapshot's at `seq`, but nothing has shown that the subscription was effective by then: what changed
 * since may be missing. The next batch tells, and so does an acknowledgement.
 */
export interface UnconfirmedState {
  readonly kind: 'unconfirmed';
  readonly request: number;
  readonly attempt: number;
  readonly epoch: string;
  readonly seq: number;
  readonly height: number;
}

/** The book from before the disconnect stands, and the batches that it missed are on their way, up to `until`. */
export interface ResumingState extends HeldBook {
  readonly kind: 'resuming';
  readonly request: number;
  readonly until: number;
}

/** The book is the source's at `seq`, and no batch behind it is missed. */
export interface LiveState {
  readonly kind: 'live';
  readonly request: number;
  /** Attempt that the next rebuild begins with: 0 once the book has been live for `SETTLED_BATCHES`. */
  readonly attempt: number;
  readonly epoch: string;
  readonly seq: number;
  readonly height: number;
  /** Batches applied since the snapshot. */
  readonly applied: number;
}

/** The source has refused this coin for good. Only a new subscription leads out. */
export interface FailedState {
  readonly kind: 'failed';
  readonly request: number;
  readonly message: string;
}

/** What happens to one coin. */
export type SyncEvent =
  /** The subscription is acknowledged, in time or late: from now on no batch of the coin is missed. */
  | { readonly kind: 'subscribed' }
  /** The same, and the batches behind the `seq` of the book from before come first, up to `until` (RES-2). */
  | { readonly kind: 'resumed'; readonly until: number }
  /** No acknowledgement came in time, and the source is not known to send any: the subscription may be effective or not. */
  | { readonly kind: 'assumed' }
  /** The coin's entry of a batch. */
  | { readonly kind: 'batch'; readonly batch: CoinBatch }
  | { readonly kind: 'snapshot'; readonly request: number; readonly snapshot: DecodedSnapshot }
  | { readonly kind: 'snapshotFailed'; readonly request: number; readonly retryable: boolean; readonly message: string }
  /** Carrying out `build` or `apply` gave findings. */
  | { readonly kind: 'finding'; readonly findings: readonly Finding[] }
  /** The live book differs from a fresh snapshot. */
  | { readonly kind: 'auditFailed'; readonly message: string }
  /** The subscription was refused. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The connection was lost, or the coin unsubscribed. */
  | { readonly kind: 'disconnected' };

/** What the driver is to do, in this order. */
export type SyncEffect =
  /** Wait for the backoff of `attempt` (none for 0), fetch the snapshot, respond with `snapshot` or `snapshotFailed`. */
  | { readonly kind: 'fetchSnapshot'; readonly request: number; readonly attempt: number }
  /** The response to this request, or its backoff, is no longer wanted. */
  | { readonly kind: 'cancelSnapshot'; readonly request: number }
  /** Build the book of this snapshot, in place of the old one. With findings: drop the effects that follow, send `finding`. */
  | { readonly kind: 'build'; readonly snapshot: DecodedSnapshot }
  /** Apply to the book. With findings: as for `build`. */
  | { readonly kind: 'apply'; readonly batch: CoinBatch };

/** The next state and what to do. */
export interface SyncStep {
  readonly state: SyncState;
  readonly effects: readonly SyncEffect[];
}

/** Batches after which a live book has proved itself: the next rebuild begins at once again, without a backoff. */
export const SETTLED_BATCHES = 32;

/** Where every coin begins. */
export const SYNC_START: SyncState = { kind: 'idle', request: 0 };
