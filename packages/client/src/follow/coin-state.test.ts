import { SYNC_START, type SyncState, syncStep } from '@l4desk/book';
import type { BookState } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { type Away, coinStateOf } from './coin-state.ts';

const position = { request: 1, attempt: 0, epoch: 'e', seq: 1, height: 1, applied: 0 };
const { state: first } = syncStep(SYNC_START, { kind: 'subscribed' });
const afterGap = { ...first, reason: 'upstream-gap' } as SyncState;

const NEW: Away = { reason: null, detail: 'new' };
const CUT: Away = { reason: 'disconnected', detail: 'cut' };
const STOPPED: Away = { reason: 'stopped', detail: 'closed' };

it.each<[string, SyncState, BookState, boolean, Away, BookState, string | null]>([
  ['just followed', SYNC_START, 'waiting', false, NEW, 'waiting', null],
  ['no connection yet', SYNC_START, 'waiting', false, CUT, 'waiting', 'disconnected'],
  ['waiting for the first snapshot', first, 'waiting', false, NEW, 'building', null],
  ['cut while building the first book', SYNC_START, 'building', false, CUT, 'waiting', 'disconnected'],
  ['joined', { kind: 'live', ...position }, 'building', true, NEW, 'live', null],
  [
    'joined, possibly after missing blocks',
    { kind: 'unconfirmed', ...position },
    'building',
    true,
    NEW,
    'stale',
    'unacknowledged',
  ],
  ['cut while live', SYNC_START, 'live', true, CUT, 'stale', 'disconnected'],
  ['stopped while live', SYNC_START, 'live', true, STOPPED, 'stale', 'stopped'],
  ['connected again', first, 'stale', true, CUT, 'rebuilding', 'disconnected'],
  ['a gap', afterGap, 'live', true, NEW, 'rebuilding', 'upstream-gap'],
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
  ['refused', { kind: 'failed', request: 1, message: 'no' }, 'live', true, NEW, 'unavailable', 'refused'],
])(
  'the state of the client’s copy, in the terms of the service: %s',
  (_, sync, previous, hasBook, away, kind, reason) => {
    expect(coinStateOf(sync, { previous, hasBook, away })).toMatchObject({ kind, reason });
  },
);
