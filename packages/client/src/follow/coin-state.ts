import type { SyncState } from '@l4desk/book';
import type { BookLossReason, BookState } from '@l4desk/protocol';
import type { CoinState } from './types.ts';

/** Facts about a coin that the state machine does not know. */
export interface CoinCircumstances {
  readonly previous: BookState;
  /** Whether an earlier book is held. It is still shown, but may be stale. */
  readonly hasBook: boolean;
  /** Why the coin is not streamed now, or was not until a moment ago. */
  readonly away: Away;
}

/** A null reason means that nothing went wrong: the subscription is not sent yet. */
export interface Away {
  readonly reason: Extract<BookLossReason, 'disconnected' | 'stopped'> | null;
  readonly detail: string;
}

/** Returns the state of our copy of a coin's book, in the terms that the service uses for its own books. */
export function coinStateOf(sync: SyncState, { previous, hasBook, away }: CoinCircumstances): Omit<CoinState, 'since'> {
  switch (sync.kind) {
    case 'idle':
      return { kind: withoutStream(previous, hasBook, away), ...away };
    case 'failed':
      return { kind: 'unavailable', reason: 'refused', detail: sync.message };
    case 'unconfirmed':
      return {
        kind: 'stale',
        reason: 'unacknowledged',
        detail: 'the service has not acknowledged the subscription: live from the first block on',
      };
    case 'resuming':
      return { kind: 'stale', reason: 'disconnected', detail: `the missed blocks are coming, up to seq ${sync.until}` };
    case 'live':
      return { kind: 'live', reason: null, detail: 'snapshot and stream join without a gap' };
    case 'buffering': {
      const { reason, detail } = sync.reason === null && away.reason !== null ? away : sync;
      return { kind: hasBook ? 'rebuilding' : 'building', reason, detail };
    }
  }
}

function withoutStream(previous: BookState, hasBook: boolean, { reason }: Away): BookState {
  if (previous === 'live' || previous === 'stale') return 'stale';
  if (reason === 'stopped') return 'unavailable';
  return hasBook ? 'rebuilding' : 'waiting';
}
