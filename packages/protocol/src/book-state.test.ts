import { expect, test } from 'vitest';
import { BOOK_STATES, bookStatus } from './book-state.ts';
import { serverMessage } from './stream/messages.ts';

const status = { coin: 'BTC', state: 'rebuilding', since: 1_778_002_753_024, upstreamAgeMs: 12, reason: 'audit' };

test('[L4-40] a status carries one of the six book states and no other word', () => {
  expect(Object.keys(BOOK_STATES)).toEqual(['waiting', 'building', 'live', 'stale', 'rebuilding', 'unavailable']);
  for (const state of Object.keys(BOOK_STATES)) {
    expect(serverMessage.safeParse({ channel: 'l4BookStatus', data: { ...status, state } }).success).toBe(true);
  }
  for (const state of ['joining', 'exact', 'Live', '', null, undefined]) {
    expect(bookStatus.safeParse({ ...status, state }).success).toBe(false);
  }
});

test('a status is read with a reason that is not known yet, and with none', () => {
  for (const reason of ['something-later', null])
    expect(bookStatus.parse({ ...status, reason })).toMatchObject({ reason });
  expect(bookStatus.parse({ ...status, upstreamAgeMs: null })).toMatchObject({ upstreamAgeMs: null });
  expect(bookStatus.safeParse({ ...status, upstreamAgeMs: -1 }).success).toBe(false);
});
