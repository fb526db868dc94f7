/** The order-level book of one coin, exact, and the state machine that keeps it in step with a stream. Pure. */
import type { BookChange, BookLevels, CoinBatch, DecimalString, DecodedSnapshot, L4Order, OrderStatus, Side } from '@l4desk/protocol';
import type { BookDifference } from './compare.ts';
import type { Finding } from './finding.ts';
import type { BestLevel, LadderRow, QueuedOrder, QueuePlace, QueueQuery, RowsQuery } from './types.ts';

export * from './finding.ts';
export * from './types.ts';
export type { BookDifference, OrderKey } from './compare.ts';

// Signatures first; the implementations replace these declarations one by one.
export declare class L4Book {
  /** Builds a book from both sides of a snapshot. With findings, what carries one is left out. */
  static build(coin: string, levels: BookLevels): { readonly book: L4Book; readonly findings: readonly Finding[] };
  readonly coin: string;
  readonly orderCount: number;
  /** Grows with every block applied. */
  readonly revision: number;
  orderCountOf(side: Side): number;
  levelCount(side: Side): number;
  /** Total resting size of a side. */
  total(side: Side): DecimalString;
  /** One block. [] = every expectation held and the book is not crossed. `time`: the block's, ms. */
  apply(changes: readonly BookChange[], statuses: readonly OrderStatus[], time: number): readonly Finding[];
  has(oid: number): boolean;
  sideOf(oid: number): Side | undefined;
  order(oid: number): L4Order | undefined;
  place(oid: number): QueuePlace | undefined;
  best(side: Side): BestLevel | undefined;
  rows(side: Side, query: RowsQuery): readonly LadderRow[];
  /** The row of one price (a level's, or a bucket's when the query has a tick). */
  row(side: Side, px: DecimalString, tick?: DecimalString): LadderRow | undefined;
  /** Orders of one row in queue order; [] when there is no such row. */
  queue(side: Side, px: DecimalString, query?: QueueQuery): readonly QueuedOrder[];
  /** Fills a caller's window in place: the cheap way for 60 frames a second. */
  fill(window: LadderWindow, side: Side, query: Omit<RowsQuery, 'limit'>): void;
  orders(side: Side): Generator<L4Order, void, undefined>;
  levels(): [bids: L4Order[], asks: L4Order[]];
  /** JSON text of `levels()` in pieces; the book must not change before the last piece is taken (it throws). */
  levelsJson(): Generator<string, void, undefined>;
  /** 32 hex digits over the whole book in queue order; SPEC.md defines it. */
  checksum(): string;
}

/** Rows of one side, filled in place and reused from frame to frame. Row 0 is the best one shown. */
export declare class LadderWindow {
  /** `maxLane`: orders per row whose sizes are filled, from the front of the queue. */
  constructor(maxRows: number, maxLane: number);
  readonly maxRows: number;
  readonly maxLane: number;
  readonly rowCount: number;
  /** For drawing only (exact integers of 10^-szScale unless sizes are past 2^53). */
  readonly sz: Float64Array;
  readonly cumSz: Float64Array;
  readonly szScale: number;
  readonly count: Int32Array;
  /** Lane of row r: laneSz/laneOid[r * maxLane … r * maxLane + laneCount[r] - 1], front of the queue first. */
  readonly laneCount: Int32Array;
  readonly laneSz: Float64Array;
  readonly laneOid: Float64Array;
  /** Exact texts. */
  pxText(row: number): DecimalString;
  szText(row: number): DecimalString;
  cumSzText(row: number): DecimalString;
}

/** First difference, or undefined when both hold the same orders (side, px, sz in value, oid, owner) in the same queue order. */
export declare function compareBooks(expected: L4Book, actual: L4Book): BookDifference | undefined;
export declare function compareWithLevels(expected: BookLevels, actual: L4Book): BookDifference | undefined;
export declare function describeDifference(difference: BookDifference): string;

/** One audit of a live book against a fresh snapshot. Positions are seqs for a client, heights for the service. */
export declare class Audit {
  /** `position`: that of the live book now. Ask for the snapshot after this, and record every block applied from here on. */
  constructor(position: number);
  record(position: number, changes: readonly BookChange[], statuses: readonly OrderStatus[], time: number): void;
  /** `position` of `live` now. `ahead`: the snapshot is newer than the live book: call again after later blocks. */
  check(snapshot: { readonly position: number; readonly levels: BookLevels }, live: L4Book, position: number): AuditVerdict;
}

export type AuditVerdict =
  | { readonly kind: 'equal'; readonly position: number }
  | { readonly kind: 'different'; readonly position: number; readonly difference: BookDifference }
  | { readonly kind: 'finding'; readonly findings: readonly Finding[] }
  | { readonly kind: 'ahead'; readonly position: number }
  /** The snapshot is older than the audit: no verdict, ask for another one. */
  | { readonly kind: 'too-old'; readonly position: number }
  /** More was recorded than the bound allows: no verdict, start again. */
  | { readonly kind: 'overrun' };

// --- sync: one coin's way through the bootstrap of the stream (L4-1 to L4-7) ---

export type RebuildReason = 'start' | 'gap' | 'epoch' | 'stale-snapshot' | 'finding' | 'audit' | 'snapshot-failed';

export type SyncState =
  /** Not subscribed: before the first subscribe and after a disconnect. */
  | { readonly kind: 'idle' }
  /** Subscribed, batches are buffered, snapshot `request` is awaited. `reason`: why (the last one). */
  | { readonly kind: 'buffering'; readonly request: number; readonly attempt: number; readonly reason: RebuildReason; readonly detail: string; readonly buffer: unknown }
  /** The book is the source's at `seq`. */
  | { readonly kind: 'live'; readonly request: number; readonly attempt: number; readonly epoch: string; readonly seq: number; readonly height: number; readonly applied: number }
  /** The source refused for good (unknown coin, bad key). Only `subscribed` leads out. */
  | { readonly kind: 'failed'; readonly request: number; readonly message: string };

export type SyncEvent =
  /** The subscription is effective (acknowledged): from now on no batch is missed. */
  | { readonly kind: 'subscribed' }
  | { readonly kind: 'batch'; readonly batch: CoinBatch }
  | { readonly kind: 'snapshot'; readonly request: number; readonly snapshot: DecodedSnapshot }
  | { readonly kind: 'snapshotFailed'; readonly request: number; readonly retryable: boolean; readonly message: string }
  /** Building or applying gave findings. */
  | { readonly kind: 'finding'; readonly findings: readonly Finding[] }
  /** An audit found the live book different. */
  | { readonly kind: 'auditFailed'; readonly message: string }
  /** The subscription was refused. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Socket lost, or unsubscribed. */
  | { readonly kind: 'disconnected' };

export type SyncEffect =
  /** Attempt 0: at once. Attempt n: after the n-th backoff. Answer with `snapshot` or `snapshotFailed` and this request. */
  | { readonly kind: 'fetchSnapshot'; readonly request: number; readonly attempt: number }
  /** The answer to this request (or its backoff) is no longer wanted. */
  | { readonly kind: 'cancelSnapshot'; readonly request: number }
  /** Build the book of this snapshot; it replaces the old one. Findings → event `finding`, and the remaining effects are dropped. */
  | { readonly kind: 'build'; readonly snapshot: DecodedSnapshot }
  /** Apply to the book. Findings → as above. */
  | { readonly kind: 'apply'; readonly batch: CoinBatch };

export interface SyncStep {
  readonly state: SyncState;
  readonly effects: readonly SyncEffect[];
}

export declare const SYNC_START: SyncState;
export declare function syncStep(state: SyncState, event: SyncEvent): SyncStep;
