import { WireFormatError } from '@l4desk/protocol';
import { diff, order, orderStatus } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { readStreamMessage } from './message.ts';

const EPOCH = '3f2a8c1e-6f6f-4a53-9b0e-2f1f6b7c9d10';
const entry = {
  coin: 'BTC',
  seq: 7,
  prev_seq: 6,
  order_statuses: [orderStatus(order())],
  book_diffs: [diff.insert('1.0'), diff.resize('1.0', '0.5'), diff.remove()],
};
const updates = { time: 1_000, block_height: 42, epoch: EPOCH, cursor: '42:1000', book_diffs: [entry] };

function batch(replace: object): string {
  return JSON.stringify({ channel: 'l4BookUpdates', data: { Updates: { ...updates, ...replace } } });
}

describe('stream messages', () => {
  it('[L4-39] reads the state of a book', () => {
    const data = { coin: 'BTC', state: 'stale', since: 5, upstreamAgeMs: null, reason: 'feed-silent' };
    expect(readStreamMessage(JSON.stringify({ channel: 'l4BookStatus', data }))).toEqual({
      kind: 'bookStatus',
      status: data,
    });
  });

  it('ignores a channel of a later version', () => {
    expect(readStreamMessage('{"channel":"news","data":{}}')).toEqual({ kind: 'unknown' });
  });

  it.each([
    ['no text', Buffer.from('{}')],
    ['no JSON', '{"channel":'],
    ['no object', '[]'],
    ['without a channel', '{}'],
    ['a batch without Updates', '{"channel":"l4BookUpdates","data":{"Snapshot":{}}}'],
    ['a batch without data', '{"channel":"l4BookUpdates"}'],
    ['a height that is not a whole number', batch({ block_height: 1.5 })],
    ['no epoch', batch({ epoch: null })],
    ['seq not above prev_seq', batch({ book_diffs: [{ ...entry, prev_seq: 7 }] })],
    ['a diff of another coin', batch({ book_diffs: [{ ...entry, book_diffs: [diff.remove({ coin: 'ETH' })] }] })],
    [
      'a float for a size',
      batch({ book_diffs: [{ ...entry, book_diffs: [{ ...diff.insert('1'), raw_book_diff: { new: { sz: 1 } } }] }] }),
    ],
    ['an invalid state of a book', '{"channel":"l4BookStatus","data":{"coin":"BTC","state":"fine"}}'],
    ['an acknowledgement of an unknown method', '{"channel":"subscriptionResponse","data":{"method":"dance"}}'],
  ])('rejects a message: %s', (_, data) => {
    expect(() => readStreamMessage(data)).toThrow(WireFormatError);
  });
});
