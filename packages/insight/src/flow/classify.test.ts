import { L4Book } from '@l4desk/book';
import type { BookChange, CoinBatch, DecimalString, ExecutedOrder, OrderStatus, Side } from '@l4desk/protocol';
import { order, orderStatus, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { History } from '../history/history.ts';
import { type FlowEvent, movedSize } from './flow-event.ts';
import { FlowWindow } from './flow-window.ts';

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const START = { height: 1, time: 1_000, epoch: EPOCH, seq: 0 };
const CLOID = '0x00000000000000000000000000000001';

const at = (oid: number, px: DecimalString, side: Side = 'B') => ({ oid, user: wallet(oid % 10), side, px });
const remove = (oid: number, px: DecimalString): BookChange => ({ kind: 'remove', ...at(oid, px) });
const insert = (oid: number, px: DecimalString, sz: DecimalString, insertBefore: number | null = null): BookChange => {
  return { kind: 'insert', ...at(oid, px), sz, insertBefore };
};
const resize = (oid: number, px: DecimalString, origSz: DecimalString, newSz: DecimalString): BookChange => {
  return { kind: 'resize', ...at(oid, px), origSz, newSz };
};
function says(oid: number, status: string, cloid: string | null = null): OrderStatus {
  return orderStatus(order({ oid, user: wallet(oid % 10), side: 'B', cloid }), status);
}

/** Bids 11 and 12 at 100.0, 13 (with a cloid) at 99.0; one ask. */
function kept() {
  const bid = (oid: number, limitPx: DecimalString, cloid: string | null = null) =>
    order({ oid, limitPx, sz: '2.0', side: 'B', user: wallet(oid % 10), cloid });
  const bids = [bid(11, '100.0'), bid(12, '100.0'), bid(13, '99.0', CLOID)];
  const history = new History('BTC');
  const { book } = L4Book.build('BTC', [bids, [order({ oid: 90, limitPx: '101.0', side: 'A' })]]);
  history.begin(book, START, '');
  let seq = 0;
  const block = (
    changes: readonly BookChange[],
    statuses: readonly OrderStatus[] = [],
    afterMs = 100,
    executed: readonly ExecutedOrder[] = [],
  ) => {
    seq += 1;
    const { time } = history.markAt(history.last);
    const batch: CoinBatch = {
      coin: 'BTC',
      epoch: EPOCH,
      height: 1 + seq,
      time: time + afterMs,
      seq,
      prevSeq: seq - 1,
      changes,
      statuses,
      executed,
    };
    return history.add(batch)?.events() ?? [];
  };
  return { history, block };
}

/** An event as `kind`, `kind?` if it is inferred, `kind: reason` if a status gives one. */
function shown({ kind, inferred, reason }: FlowEvent): string {
  return `${kind}${inferred ? '?' : ''}${reason === null ? '' : `: ${reason}`}`;
}

describe('classification of a change', () => {
  it.each<[string, readonly BookChange[], readonly OrderStatus[], readonly unknown[]]>([
    ['a new order', [insert(20, '99.0', '1')], [says(20, 'open')], ['added']],
    ['a partial fill: no status', [resize(11, '100.0', '2', '1.5')], [], ['executed?']],
    ['a fill that a status names', [resize(11, '100.0', '2', '1')], [says(11, 'filled')], ['executed: filled']],
    [
      'a resize that another status explains',
      [resize(12, '100.0', '2', '1')],
      [says(12, 'reduceOnlyCanceled')],
      ['shrunk: reduceOnlyCanceled'],
    ],
    ['a resize upward', [resize(11, '100.0', '2', '3')], [], ['grown']],
    ['a cancellation', [remove(12, '100.0')], [says(12, 'canceled')], ['canceled: canceled']],
    ['an unknown word', [remove(12, '100.0')], [says(12, 'sunkCanceled')], ['canceled: sunkCanceled']],
    ['filled whole', [remove(11, '100.0')], [says(11, 'filled')], ['executed: filled']],
    [
      'filled whole in two steps, without a status',
      [resize(11, '100.0', '2', '0.0'), remove(11, '100.0'), remove(12, '100.0')],
      [],
      ['executed?', 'executed?', 'executed?'],
    ],
    ['no status, and not next to be traded', [remove(12, '100.0')], [], ['canceled?']],
    [
      'filled in part, the rest canceled: the status is about the leaving',
      [resize(11, '100.0', '2', '1'), remove(11, '100.0')],
      [says(11, 'canceled')],
      ['executed?', 'canceled: canceled'],
    ],
  ])('%s', (_, changes, statuses, expected) => {
    expect(kept().block(changes, statuses).map(shown)).toEqual(expected);
  });

  const size = (oid: number, sz: DecimalString) => ({ oid, sz });

  it.each<[string, readonly BookChange[], readonly OrderStatus[], readonly ExecutedOrder[], readonly unknown[]]>([
    ['a partial fill', [resize(11, '100.0', '2', '1.5')], [], [size(11, '0.50')], ['executed']],
    ['another size', [resize(11, '100.0', '2', '1.5')], [], [size(11, '0.4')], ['executed?']],
    ['another order', [resize(11, '100.0', '2', '1.5')], [], [size(12, '0.5')], ['executed?']],
    ['not next to be traded', [remove(12, '100.0')], [], [size(12, '2')], ['executed']],
    ['a status too', [remove(11, '100.0')], [says(11, 'filled')], [size(11, '2')], ['executed: filled']],
    [
      'in several pieces and steps',
      [resize(11, '100.0', '2', '1'), resize(11, '100.0', '1', '0.0'), remove(11, '100.0')],
      [],
      [size(11, '1.5'), size(11, '0.5')],
      ['executed', 'executed', 'executed'],
    ],
    [
      'a part, the rest canceled',
      [resize(11, '100.0', '2', '1'), remove(11, '100.0')],
      [says(11, 'canceled')],
      [size(11, '1')],
      ['executed', 'canceled: canceled'],
    ],
    [
      'a sum that is that of no such part',
      [resize(11, '100.0', '2', '1'), resize(11, '100.0', '1', '0.5')],
      [],
      [size(11, '1')],
      ['executed?', 'executed?'],
    ],
    [
      'an order that came, grew and was met',
      [insert(20, '99.0', '1'), resize(20, '99.0', '1', '3'), resize(20, '99.0', '3', '2.9')],
      [],
      [size(20, '0.1')],
      ['added', 'grown', 'executed'],
    ],
  ])('with fills reported: %s', (_, changes, statuses, executed, expected) => {
    expect(kept().block(changes, statuses, 100, executed).map(shown)).toEqual(expected);
  });

  it('sums report how many of their executions are inferred, and omit the field if none are', () => {
    const { history, block } = kept();
    const window = new FlowWindow(5_000);
    block([resize(11, '100.0', '2', '1.5')], [], 100, [size(11, '0.5')]);
    window.moveTo(history, history.last);
    expect(window.totals.at('B', '100').executed).toEqual({ sz: '0.5', count: 1 });
    block([resize(11, '100.0', '1.5', '1')]);
    window.moveTo(history, history.last);
    for (const sums of [window.totals.at('B', '100'), window.totals.total(), window.totals.row('B', '100', '10')])
      expect(sums.executed).toEqual({ sz: '1', count: 2, inferred: 1 });
    window.moveTo(history, history.last - 1);
    expect(window.totals.total('B').executed).toEqual({ sz: '0.5', count: 1 });
  });

  it('the two halves of a modify name each other, in whatever order the block has them', () => {
    const own = (oid: number) => ({ ...insert(oid, '99.5', '2'), user: wallet(3) }) as BookChange;
    const modify = [says(13, 'canceled', CLOID), { ...says(23, 'open', CLOID), user: wallet(3) }];
    for (const changes of [
      [remove(13, '99.0'), own(23)],
      [own(23), remove(13, '99.0')],
    ]) {
      const events = kept().block(changes, modify);
      const found = events.map(({ act, kind, other, reason }) => [act, kind, other, reason]);
      expect(found).toContainEqual(['insert', 'requotedIn', 13, null]);
      expect(found).toContainEqual(['remove', 'requotedOut', 23, 'canceled']);
    }
    const stranger = kept().block(
      [remove(13, '99.0'), insert(24, '99.5', '2')],
      [says(13, 'canceled', CLOID), says(24, 'open', CLOID)],
    );
    expect(stranger.map(({ kind }) => kind)).toEqual(['canceled', 'added']);
  });

  it('counts consecutive returns of an owner to a price right after an execution there as refills', () => {
    const { block } = kept();
    block([resize(11, '100.0', '2', '1')]);
    const [first] = block([insert(21, '100.0', '1')]);
    const [second] = block([insert(31, '100.0', '1')]);
    const [elsewhere] = block([insert(41, '99.0', '1')]);
    const [stranger] = block([insert(22, '100.0', '1')]);
    const [late] = block([insert(51, '100.0', '1')], [], 5_000);
    expect([first, second, elsewhere, stranger, late].map((event) => event?.refill)).toEqual([1, 2, 0, 0, 0]);
  });

  it('a window that reaches past the first kept block or a gap is not whole; nothing is netted', () => {
    const { history, block } = kept();
    const window = new FlowWindow(5_000);
    block([insert(21, '100.0', '1.5')]);
    block([remove(21, '100.0')], [says(21, 'canceled')]);
    window.moveTo(history, history.last);
    expect(window.isWhole).toBe(false);
    expect(window.totals.at('B', '100')).toMatchObject({
      added: { sz: '1.5', count: 1 },
      canceled: { sz: '1.5', count: 1 },
    });
    const rows = window.totals.rows('5');
    expect(rows.get('B100')?.added).toEqual({ sz: '1.5', count: 1 });
    block([insert(31, '100.0', '1')], [], 4_900);
    window.moveTo(history, history.last);
    expect([window.isWhole, window.totals.total('B').added.sz]).toEqual([true, '1']);
    window.moveTo(history, history.last - 1);
    expect([window.isWhole, window.totals.total().added.sz]).toEqual([false, '1.5']);
    window.moveTo(history, history.first);
    expect([window.isWhole, window.totals.total().added.count]).toEqual([false, 0]);
    expect(movedSize(history.blockAt(2)?.events()[0] as FlowEvent)).toBe('1.5');
  });
});
