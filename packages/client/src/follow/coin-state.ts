import type { SyncState } from '@l4desk/book';
import type { BookLossReason, BookState } from '@l4desk/protocol';
import type { CoinState } from './types.ts';

/** What the state machine does not know about a coin. */
export interface CoinCircumstances {
  readonly previous: BookState;
  /** A book was held before: it is shown, but may be old. */
  readonly hasBook: boolean;
  /** Why the coin is not streamed, while it is not, or was not until a moment ago. */
  readonly away: Away;
}

/** A reason of null: nothing went wrong, the subscription is not sent yet. */
export interface Away {
  readonly reason: Extract<BookLossReason, 'disconnected' | 'stopped'> | null;
  readonly detail: string;
}

/** How our copy of a coin's book is, in the words that the service uses of its own (WEB-1). */
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
