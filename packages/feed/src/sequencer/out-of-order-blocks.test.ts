import { L4Book } from '@l4desk/book';
import type { BookChange } from '@l4desk/protocol';
import { diff, order } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';
import { readServerMessage } from '../sources/server-message.ts';
import { contradicts, fitsBefore, OutOfOrderBlocks } from './out-of-order-blocks.ts';

function block(height: number, diffs: readonly unknown[]): UpstreamBlock {
  const Updates = { time: height, height, order_statuses: [], book_diffs: [...diffs] };
  const message = readServerMessage(JSON.stringify({ channel: 'l4Book', data: { Updates } }), () => true);
  if (message.kind !== 'block') throw new Error(`read as ${message.kind}`);
  return message.block;
}

describe('blocks out of order', () => {
  test('[UP-22] are sorted by height and share the deadline of the first one added', () => {
    const waiting = new OutOfOrderBlocks();
    const [low, middle, high] = [11, 12, 13].map((height) => block(height, [diff.remove()]));
    if (low === undefined || middle === undefined || high === undefined) throw new Error('no blocks');
    waiting.add(middle, 100);
    waiting.add(high, 120);
    waiting.add(low, 110);
    expect([waiting.until, waiting.at(13), waiting.at(14)]).toEqual([100, high, undefined]);
    for (const expected of [low, middle, high]) {
      expect(waiting.first).toBe(expected);
      waiting.shift();
    }
    expect([waiting.first, waiting.until]).toEqual([undefined, Number.POSITIVE_INFINITY]);
    waiting.add(high, 300);
    expect(waiting.until).toBe(300);
  });
});

describe('contradictions of a book', () => {
  const bid = { oid: 1, side: 'B', px: '99.0' } as const;
  const ask = { oid: 2, side: 'A', px: '101.0' } as const;
  const built = L4Book.build('BTC', [
    [order({ ...bid, limitPx: bid.px, sz: '1.50' })],
    [order({ ...ask, limitPx: ask.px, sz: '2.0' })],
  ]);
  const fresh = { oid: 3, side: 'B', px: '98.0' } as const;

  test.each<[string, readonly unknown[], boolean]>([
    ['a new order', [diff.insert('1.0', fresh)], false],
    ['an order that rests already', [diff.insert('1.0', bid)], true],
    ['a resize from what rests, written otherwise', [diff.resize('1.5', '1.0', bid)], false],
    ['a resize from another size', [diff.resize('1.4', '1.0', bid)], true],
    ['a resize of nothing', [diff.resize('1.5', '1.0', fresh)], true],
    ['a removal', [diff.remove(bid)], false],
    ['a removal of nothing', [diff.remove(fresh)], true],
    [
      'an order that comes and goes',
      [diff.insert('1.0', fresh), diff.resize('1.0', '0.5', fresh), diff.remove(fresh)],
      false,
    ],
    ['an order that goes twice', [diff.remove(bid), diff.remove(bid)], true],
    ['an order that goes and comes again', [diff.remove(bid), diff.insert('1.0', bid)], false],
    ['an order in front of one that rests', [diff.insert('1.0', { ...fresh, px: '99.0', insertBefore: 1 })], false],
    ['an order in front of nothing', [diff.insert('1.0', { ...fresh, insertBefore: 9 })], true],
    [
      'an order in front of one that has gone',
      [diff.remove(bid), diff.insert('1.0', { ...fresh, insertBefore: 1 })],
      true,
    ],
    ['a bid across the best ask', [diff.insert('1.0', { ...fresh, px: '101.0' })], true],
    ['an ask across the best bid', [diff.insert('1.0', { oid: 3, side: 'A', px: '99.0' })], true],
    [
      'a bid across the best ask, which leaves',
      [diff.remove(ask), diff.insert('1.0', { ...fresh, px: '101.0' })],
      false,
    ],
    [
      'a bid across the best ask, which leaves itself',
      [diff.insert('1.0', { ...fresh, px: '101.0' }), diff.remove({ ...fresh, px: '101.0' })],
      false,
    ],
    ['an order whose side nothing tells', [{ ...diff.remove({ oid: 9 }), side: undefined }], true],
  ])('[UP-22] %s', (_, diffs, expected) => {
    const before = built.book.checksum();
    expect(contradicts(block(10, diffs), built.book)).toBe(expected);
    expect(built.book.checksum()).toBe(before);
  });

  test.each<[string, readonly unknown[], boolean]>([
    ['an order of its own', [diff.insert('1.0', { ...fresh, oid: 4, px: '97.0' })], true],
    ['an order that a later one stands behind', [diff.insert('1.0', { ...fresh, oid: 4 })], false],
    ['a removal of an order that later ones leave alone', [diff.remove(bid)], true],
    ['a removal of an order that a later one changed', [diff.remove(ask)], false],
    ['what contradicts the book', [diff.remove({ oid: 9 })], false],
  ])('[UP-22] finds whether a late block gives the same book as in order: %s', (_, diffs, expected) => {
    const later = block(11, [diff.insert('1.0', fresh), diff.resize('2.0', '1.0', ask)]).changes;
    const { book } = L4Book.build('BTC', built.book.levels());
    expect(book.apply(later as readonly BookChange[], [], 1)).toEqual([]);
    expect(fitsBefore(block(10, diffs), later as readonly BookChange[], book)).toBe(expected);
  });
});
