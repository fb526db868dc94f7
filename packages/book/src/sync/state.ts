import type { BookLossReason, CoinBatch, DecodedSnapshot } from '@l4desk/protocol';
import type { Finding } from '../finding.ts';
import type { BatchBuffer } from './buffer.ts';

/** Where one coin is in the bootstrap of the stream (§4.7). */
export type SyncState = IdleState | BufferingState | UnconfirmedState | ResumingState | LiveState | FailedState;

/** Position of a book: it equals the source's at this `seq` of this epoch. */
export interface HeldBook {
  readonly epoch: string;
  readonly seq: number;
  readonly height: number;
  /** As in the live state. */
  readonly attempt: number;
}

/** Not subscribed: before the first subscribe and after a disconnect. An earlier book is no longer the source's. */
export interface IdleState {
  readonly kind: 'idle';
  /** Number of the last snapshot request, which identifies responses. */
  readonly request: number;
  /** Position of the earlier book, if the source's batches can continue from there. */
  readonly held?: HeldBook;
}

/**
 * Subscribed; batches are buffered until the snapshot of `request` arrives. An earlier book is no longer the source's. The
 * subscription is `effective` once it is acknowledged or a batch arrives; until then it is `assumed`.
 */
export interface BufferingState {
  readonly kind: 'buffering';
  readonly request: number;
  readonly subscription: 'effective' | 'assumed';
  /** 0 for a request made at once, n for one that waits for the n-th backoff. */
  readonly attempt: number;
  /** Why the last book, or the last attempt at one, was lost; null for a new subscription. */
  readonly reason: BookLossReason | null;
  /** One sentence that explains the reason. */
  readonly detail: string;
  readonly buffer: BatchBuffer;
}

/**
 * The book is the snapshot's at `seq`, but nothing has shown that the subscription was effective by then: changes since then
 * may be missing. The next batch or an acknowledgement decides.
 */
export interface UnconfirmedState {
  readonly kind: 'unconfirmed';
  readonly request: number;
  readonly attempt: number;
  readonly epoch: string;
  readonly seq: number;
  readonly height: number;
}

/** The book from before the disconnect is in use, and the batches that it missed are being replayed, up to `until`. */
export interface ResumingState extends HeldBook {
  readonly kind: 'resuming';
  readonly request: number;
  readonly until: number;
}

/** The book is the source's at `seq`, and no later batch is missed. */
export interface LiveState {
  readonly kind: 'live';
  readonly request: number;
  /** Attempt number of the next rebuild: 0 once the book has been live for `SETTLED_BATCHES`. */
  readonly attempt: number;
  readonly epoch: string;
  readonly seq: number;
  readonly height: number;
  /** Batches applied since the snapshot. */
  readonly applied: number;
}

/** The source has permanently refused this coin. Only a new subscription leaves this state. */
export interface FailedState {
  readonly kind: 'failed';
  readonly request: number;
  readonly message: string;
}

/** An event of one coin. */
export type SyncEvent =
  /** The subscription is acknowledged, in time or late: from now on no batch of the coin is missed. */
  | { readonly kind: 'subscribed' }
  /** The same, and the batches after the `seq` of the earlier book come first, up to `until`. */
  | { readonly kind: 'resumed'; readonly until: number }
  /** No acknowledgement came in time, and the source is not known to send any: the subscription may or may not be effective. */
  | { readonly kind: 'assumed' }
  /** The coin's entry of a batch. */
  | { readonly kind: 'batch'; readonly batch: CoinBatch }
  | { readonly kind: 'snapshot'; readonly request: number; readonly snapshot: DecodedSnapshot }
  | { readonly kind: 'snapshotFailed'; readonly request: number; readonly retryable: boolean; readonly message: string }
  /** `build` or `apply` returned findings. */
  | { readonly kind: 'finding'; readonly findings: readonly Finding[] }
  /** The live book differs from a fresh snapshot. */
  | { readonly kind: 'auditFailed'; readonly message: string }
  /** The subscription was refused. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The connection was lost, or the coin unsubscribed. */
  | { readonly kind: 'disconnected' };

/** What the driver must do, in this order. */
export type SyncEffect =
  /** Wait for the backoff of `attempt` (none for 0), fetch the snapshot, then send `snapshot` or `snapshotFailed`. */
  | { readonly kind: 'fetchSnapshot'; readonly request: number; readonly attempt: number }
  /** The response to this request, or its backoff, is no longer wanted. */
  | { readonly kind: 'cancelSnapshot'; readonly request: number }
  /** Build the book of this snapshot, replacing the old one. With findings: drop the effects that follow, send `finding`. */
  | { readonly kind: 'build'; readonly snapshot: DecodedSnapshot }
  /** Apply to the book. With findings: as for `build`. */
  | { readonly kind: 'apply'; readonly batch: CoinBatch };

/** The next state and the effects to carry out. */
export interface SyncStep {
  readonly state: SyncState;
  readonly effects: readonly SyncEffect[];
}

/** Batches after which a live book counts as settled: the next rebuild starts at once again, without a backoff. */
export const SETTLED_BATCHES = 32;

/** The initial state of every coin. */
export const SYNC_START: SyncState = { kind: 'idle', request: 0 };
