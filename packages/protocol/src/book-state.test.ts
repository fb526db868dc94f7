import { expect, test } from 'vitest';
import { BOOK_STATES, bookStatus } from './book-state.ts';
import { serverMessage } from './stream/messages.ts';
import { readAs, WireFormatError } from './wire-format-error.ts';

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

test('a status is accepted with an unknown reason, and with none', () => {
  for (const reason of ['something-later', null])
    expect(bookStatus.parse({ ...status, reason })).toMatchObject({ reason });
  expect(bookStatus.parse({ ...status, upstreamAgeMs: null })).toMatchObject({ upstreamAgeMs: null });
  expect(bookStatus.safeParse({ ...status, upstreamAgeMs: -1 }).success).toBe(false);
});

test('[L4-40] a status is read without unknown fields, and an invalid one is rejected with the path of the problem', () => {
  for (const good of [status, { ...status, reason: null, upstreamAgeMs: null }]) {
    expect(readAs(bookStatus, { ...good, later: 1 }, 'data')).toEqual(good);
  }
  for (const [field, wrong] of [
    ['coin', 7],
    ['state', 'exact'],
    ['state', 'constructor'],
    ['since', '1'],
    ['upstreamAgeMs', undefined],
    ['upstreamAgeMs', -1],
    ['reason', undefined],
  ] as const) {
    const bad = { ...status, [field]: wrong };
    expect(() => readAs(bookStatus, bad, 'data')).toThrow(WireFormatError);
    expect(() => readAs(bookStatus, bad, 'data')).toThrow(`data.${field}`);
  }
});
