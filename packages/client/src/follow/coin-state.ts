import type { SyncState } from '@l4desk/book';
import type { CoinState, CoinStateReason } from './types.ts';

/** What a coin that needs a snapshot is waiting for. */
export type SnapshotPhase =
  /** The backoff, or a free slot. */
  | 'queued'
  | 'fetching'
  /** It is here and is being built and joined to what was buffered. */
  | 'aligning';

/** What the state machine does not know about a coin. */
export interface CoinCircumstances {
  readonly phase: SnapshotPhase;
  /** A book was held before: it is shown, but may be old. */
  readonly hasBook: boolean;
  /** Why the coin is not streamed, while it is not. */
  readonly idle: { readonly reason: CoinStateReason; readonly detail: string };
}

/** The honest name of a coin's state, for people to read (WEB-1). */
export function coinStateOf(sync: SyncState, { phase, hasBook, idle }: CoinCircumstances): Omit<CoinState, 'since'> {
  switch (sync.kind) {
    case 'idle':
      return { kind: hasBook ? 'suspect' : 'idle', ...idle };
    case 'failed':
      return { kind: 'idle', reason: 'refused', detail: sync.message };
    case 'unconfirmed':
      return {
        kind: 'aligning',
        reason: 'unacknowledged',
        detail: 'the service has not acknowledged the subscription: exact from the first block on',
      };
    case 'live':
      return { kind: 'exact', reason: 'joined', detail: 'snapshot and stream join without a gap' };
    case 'buffering':
      if (phase === 'aligning') {
        return {
          kind: 'aligning',
          reason: 'snapshot-arrived',
          detail: 'the snapshot is joined to the buffered blocks',
        };
      }
      return { kind: bufferingKind(phase, hasBook), reason: sync.reason, detail: sync.detail };
  }
}

function bufferingKind(phase: 'queued' | 'fetching', hasBook: boolean): CoinState['kind'] {
  if (phase === 'fetching') return hasBook ? 'rebuilding' : 'snapshot';
  return hasBook ? 'suspect' : 'buffering';
}
