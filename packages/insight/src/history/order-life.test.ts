import { L4Book } from '@l4desk/book';
import type { BookChange, CoinBatch, DecimalString, OrderStatus } from '@l4desk/protocol';
import { generatedCapture, order, orderStatus, realCapture, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { History } from './history.ts';
import { orderLife } from './order-life.ts';

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const CLOID = '0x00000000000000000000000000000001';
const PX = '100.0';

const at = (oid: number) => ({ oid, user: wallet(oid % 10), side: 'B' as const, px: PX as DecimalString });
const remove = (oid: number): BookChange => ({ kind: 'remove', ...at(oid) });
const insert = (oid: number, sz: DecimalString, insertBefore: number | null = null): BookChange => {
  return { kind: 'insert', ...at(oid), sz, insertBefore };
};
const resize = (oid: number, origSz: DecimalString, newSz: DecimalString): BookChange => {
  return { kind: 'resize', ...at(oid), origSz, newSz };
};
const says = (oid: number, status: string, cloid: string | null = null): OrderStatus => {
  return orderStatus(order({ oid, user: wallet(oid % 10), side: 'B', cloid }), status);
};

/** Bids 11, 12 and 14 of 2.0 each at one price. */
function kept() {
  const bids = [11, 12, 14].map((oid) => order({ oid, limitPx: PX, sz: '2.0', side: 'B', user: wallet(oid % 10) }));
  const history = new History('BTC');
  const { book } = L4Book.build('BTC', [bids, []]);
  history.begin(book, { height: 1, time: 1_000, epoch: EPOCH, seq: 0 }, '');
  let seq = 0;
  const block = (changes: readonly BookChange[], statuses: readonly OrderStatus[] = []) => {
    seq += 1;
    const batch: CoinBatch = {
      coin: 'BTC',
      epoch: EPOCH,
      height: 1 + seq,
      time: 1_000 + seq * 100,
      seq,
      prevSeq: seq - 1,
      changes,
      statuses,
    };
    history.add(batch);
    book.apply(changes, statuses, batch.time);
  };
  return { history, book, block };
}

describe('the life of an order', () => {
  it('has its birth, the orders ahead and what became of them, every resize, why it left, and its chain', () => {
    const { history, book, block } = kept();
    block([insert(23, '1.0')], [says(23, 'open', CLOID)]);
    block([resize(11, '2.0', '0.5'), insert(33, '1.0', 12)], [says(33, 'open')]);
    block([remove(12)], [says(12, 'canceled')]);
    block([resize(23, '1.0', '0.4')]);
    block([insert(43, '0.7'), remove(23)], [says(43, 'open', CLOID), says(23, 'canceled', CLOID)]);
    block([remove(14)], [says(14, 'canceled')]);
    const life = orderLife(history, book, 23);
    expect(life).toMatchObject({
      oid: 23,
      user: wallet(3),
      side: 'B',
      px: PX,
      cloid: CLOID,
      birth: { mark: { height: 2 }, sz: '1.0', joined: { ordersAhead: 3, szAhead: '6' }, replaces: null },
      lifetimeBlocks: 4,
      end: { kind: 'requotedOut', reason: 'canceled', mark: { height: 6 } },
      gaps: [],
    });
    expect(life?.events.map(({ kind, inferred, from, to }) => [kind, inferred, from, to])).toEqual([
      ['added', false, '0', '1.0'],
      ['executed', true, '1.0', '0.4'],
      ['requotedOut', false, '0.4', '0'],
    ]);
    expect(life?.ahead?.atBirth.map(({ oid, sz }) => [oid, sz])).toEqual([
      [11, '2.0'],
      [12, '2.0'],
      [14, '2.0'],
    ]);
    // What was inserted in front of it counts; what left after it did does not.
    expect(life?.ahead?.flow).toMatchObject({
      executed: { sz: '1.5', count: 1 },
      canceled: { sz: '2', count: 1 },
      added: { sz: '1', count: 1 },
    });
    expect(life?.chain.map(({ oid, sz, born, left }) => [oid, sz, born?.height, left?.height])).toEqual([
      [23, '1.0', 2, 6],
      [43, '0.7', 6, undefined],
    ]);
    expect(orderLife(history, book, 43)).toMatchObject({ birth: { replaces: 23 }, end: null, lifetimeBlocks: 1 });
    // An order that shrank has not left; how one left is inferred if no status or fill reports it.
    block([resize(43, '0.7', '0.6'), resize(43, '0.6', '0.1')]);
    expect(orderLife(history, book, 43)?.chain[1]).toMatchObject({ left: null, kind: null, inferred: false });
    expect(orderLife(history, book, 43)?.events.map(({ place, index }) => [place, index])).toEqual([
      [5, 0],
      [7, 0],
      [7, 1],
    ]);
    block([remove(43)]);
    expect(orderLife(history, book, 43)?.chain.map(({ kind, inferred }) => [kind, inferred])).toEqual([
      ['requotedOut', false],
      ['canceled', true],
    ]);
  });

  it('counts changes ahead of it in the block of its birth only from its birth on', () => {
    const { history, book, block } = kept();
    block([resize(11, '2.0', '0.5'), insert(23, '1.0'), resize(12, '2.0', '1.6')]);
    const told = () => {
      const ahead = orderLife(history, book, 23)?.ahead;
      return [ahead?.atBirth.map(({ sz }) => sz), ahead?.flow.executed];
    };
    expect(told()).toEqual([['0.5', '2.0', '2.0'], { sz: '0.4', count: 1, inferred: 1 }]);
    // Older blocks are packed.
    const birth = () => history.blockAt(1)?.events();
    block([remove(14)]);
    for (let more = 0; more < 30; more += 1) block([]);
    expect(birth()).not.toBe(birth());
    expect(told()).toEqual([['0.5', '2.0', '2.0'], { sz: '0.4', count: 1, inferred: 1 }]);
  });

  it('leaves unknown what lies before the kept blocks or in a gap', () => {
    const { history, book, block } = kept();
    expect(orderLife(history, book, 11)).toMatchObject({ birth: null, ahead: null, lifetimeBlocks: null, end: null });
    expect(orderLife(history, book, 99)).toBeUndefined();
    block([insert(23, '1.0')]);
    history.begin(book, { height: 9, time: 9_000, epoch: EPOCH, seq: 8 }, 'gap');
    expect(orderLife(history, book, 23)).toMatchObject({ lifetimeBlocks: 7, ahead: null, gaps: [{ reason: 'gap' }] });
    // Heights that went back do not say how many blocks it lived.
    history.begin(book, { height: 7, time: 7_000, epoch: EPOCH, seq: 3 }, 'back');
    expect(orderLife(history, book, 23)).toMatchObject({
      lifetimeBlocks: null,
      gaps: [{ reason: 'gap' }, { reason: 'back' }],
    });
  });

  it('along a recording the queue ahead at birth has the length and size that the book had then', () => {
    const { levels, batches } = realCapture() ?? generatedCapture();
    const { book } = L4Book.build('BTC', levels);
    const history = new History('BTC');
    history.begin(book, { height: 0, time: 0, epoch: batches[0]?.epoch ?? '', seq: 0 }, '');
    for (const batch of batches) {
      history.add(batch);
      book.apply(batch.changes, batch.statuses, batch.time);
    }
    const born = batches.flatMap(({ changes }) =>
      changes.filter(({ kind }) => kind === 'insert').map(({ oid }) => oid),
    );
    let looked = 0;
    for (const oid of born.filter((_, index) => index % 5 === 0)) {
      const life = orderLife(history, book, oid);
      expect(life?.ahead?.atBirth).toHaveLength(life?.birth?.joined?.ordersAhead ?? -1);
      looked += 1;
    }
    expect(looked).toBeGreaterThan(50);
  });
});
