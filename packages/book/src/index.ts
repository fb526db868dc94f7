/** The order-level book of one coin, exact, and the state machine that keeps it in step with a stream. Pure. */
export { AUDITED_CHANGES_MAX, Audit, type AuditVerdict } from './audit.ts';
export { type BookDifference, compareBooks, compareWithLevels, describeDifference } from './compare.ts';
export { describeFinding, type Finding } from './finding.ts';
export { type BuiltBook, L4Book } from './l4-book.ts';
export { LadderWindow } from './ladder-window.ts';
export { BUFFERED_CHANGES_MAX } from './sync/buffer.ts';
export { SyncDriver, type SyncTarget } from './sync/driver.ts';
export {
  type BufferingState,
  type FailedState,
  type HeldBook,
  type IdleState,
  type LiveState,
  type ResumingState,
  SETTLED_BATCHES,
  SYNC_START,
  type SyncEffect,
  type SyncEvent,
  type SyncState,
  type SyncStep,
  type UnconfirmedState,
} from './sync/state.ts';
export { type BookPosition, SyncedBook } from './sync/synced-book.ts';
export { syncStep } from './sync/table.ts';
export type {
  BestLevel,
  LadderRow,
  OrderCursor,
  QueuedOrder,
  QueuePlace,
  QueueQuery,
  RowsQuery,
  Units,
} from './types.ts';
