import { SYNC_START, type SyncState, syncStep } from '@l4desk/book';
import type { BookState } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { type Away, coinStateOf } from './coin-state.ts';

const { state: first } = syncStep(SYNC_START, { kind: 'subscribed' });

const CUT: Away = { reason: 'disconnected', detail: 'cut' };
const STOPPED: Away = { reason: 'stopped', detail: 'closed' };

it.each<[string, SyncState, BookState, boolean, Away, BookState, string | null]>([
  ['no connection yet', SYNC_START, 'waiting', false, CUT, 'waiting', 'disconnected'],
  ['cut while building the first book', SYNC_START, 'building', false, CUT, 'waiting', 'disconnected'],
  ['connected again', first, 'stale', true, CUT, 'rebuilding', 'disconnected'],
  ['cut while the held book is known to be wrong', SYNC_START, 'rebuilding', true, CUT, 'rebuilding', 'disconnected'],
  [
    'stopped while the held book is known to be wrong',
    SYNC_START,
    'rebuilding',
    true,
    STOPPED,
    'unavailable',
    'stopped',
  ],
  ['stopped without a book', SYNC_START, 'building', false, STOPPED, 'unavailable', 'stopped'],
])(
  'the state of the client’s copy, in the terms of the service: %s',
  (_, sync, previous, hasBook, away, kind, reason) => {
    expect(coinStateOf(sync, { previous, hasBook, away })).toMatchObject({ kind, reason });
  },
);
