import { compare, multiply, sum } from '@l4desk/decimal';
import type { Address, DecimalString, L4Order } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { LADDER_REQUEST } from '../../test-support/ladder-frame.ts';
import { must } from '../../test-support/must.ts';
import type { LadderFrame, LadderRequest, LadderRow } from '../ladder-frame.ts';
import { indexHolding } from '../prices.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';
import { GHOST_MARK } from '../watched.ts';

const REQUEST: LadderRequest = { ...LADDER_REQUEST, tick: '5', lane: 8, notional: 'row' };

const frameOf = (worker: FakeWorker, change: Partial<LadderRequest>): LadderFrame =>
  must(worker.openCanvas().rows({ ...REQUEST, ...change }), 'frame');

/** The orders of a side of the true book, in queue order. */
function ordersOf(worker: FakeWorker, side: 'A' | 'B'): readonly L4Order[] {
  return worker.follower.levels('BTC')[side === 'B' ? 0 : 1];
}

const userOf = ({ user }: L4Order) => (user ?? '').toLowerCase();

/** A row without a wallet's orders, summed order by order. */
function plainRow(
  orders: readonly L4Order[],
  { grid }: LadderFrame,
  { side, index }: LadderRow,
  wallet: string | undefined,
) {
  const at = ({ limitPx }: L4Order) => indexHolding(grid, side, limitPx) ?? Number.NaN;
  const kept = orders.filter((order) => userOf(order) !== wallet);
  const own = kept.filter((order) => at(order) === index);
  const upTo = kept.filter((order) => (side === 'A' ? at(order) <= index : at(order) >= index));
  const size = (of: readonly L4Order[]) => sum(of.map(({ sz }) => sz));
  const notional = (of: readonly L4Order[]) => sum(of.map(({ sz, limitPx }) => multiply(sz, limitPx)));
  return {
    count: own.length,
    size: size(own),
    cumulative: size(upTo),
    notional: notional(own),
    cumulativeNotional: notional(upTo),
  };
}

const equal = (a: string, b: string) => compare(a as DecimalString, b as DecimalString) === 0;

/** Amounts of a row, and of the same row with cumulative notionals, that are not those of `plainRow`. */
function wrongAmounts(row: LadderRow, sums: LadderFrame, plain: ReturnType<typeof plainRow>) {
  const sum = must(
    sums.rows.find(({ side, index }) => side === row.side && index === row.index),
    'row',
  );
  const pairs = [
    [row.sz, plain.size],
    [row.cumSz, plain.cumulative],
    [row.notional, plain.notional],
    [sum.notional, plain.cumulativeNotional],
  ] as const;
  return pairs.filter(([got, wanted]) => !equal(got, wanted));
}

describe('the book without a wallet', () => {
  it('has the numbers of all other orders, for every visible wallet, block by block', () => {
    const worker = FakeWorker.live();
    for (let block = 0; block < 12; block += 1) {
      worker.follower.block('BTC');
      const sides = { A: ordersOf(worker, 'A'), B: ordersOf(worker, 'B') };
      const wallets = new Set([...sides.A, ...sides.B].map(userOf));
      const whole = frameOf(worker, {});
      // The best ask is just out of sight, below.
      const best = Math.min(...whole.rows.filter(({ side }) => side === 'A').map(({ index }) => index));
      const scrolled = { ...whole.axis, top: best + REQUEST.slots, detached: true };
      for (const wallet of [undefined, ...wallets]) {
        const without = wallet as Address | undefined;
        for (const seen of block === 0 ? [undefined, scrolled] : [undefined]) {
          const frame = frameOf(worker, { without, axis: seen });
          const sums = frameOf(worker, { without, axis: seen, notional: 'cumulative' });
          expect(frame.rows.length).toBeGreaterThan(seen === undefined ? 3 : 0);
          for (const row of frame.rows) {
            const wanted = plainRow(sides[row.side], frame, row, wallet);
            expect(row.count).toBe(wanted.count);
            expect(wrongAmounts(row, sums, wanted)).toEqual([]);
          }
        }
      }
    }
  });
});

describe('the orders of a lane', () => {
  it('carry the mark of their watched owner, 0 for no owner watched, and the ghost mark for an excluded wallet', () => {
    const worker = FakeWorker.live();
    const orders = [...ordersOf(worker, 'A'), ...ordersOf(worker, 'B')];
    const [first, second] = [...new Set(orders.map(userOf))];
    const wallets = [
      { address: must(first, 'wallet') as Address, mark: 7 },
      { address: must(second, 'wallet') as Address, mark: 200 },
    ];
    worker.postMessage({ kind: 'watch', wallets });
    const expectMarks = (frame: LadderFrame, markOf: (user: string) => number) => {
      for (const { side, index, laneStart, laneLength } of frame.rows) {
        const here = ordersOf(worker, side)
          .filter(({ limitPx }) => indexHolding(frame.grid, side, limitPx) === index)
          .slice(0, laneLength);
        expect([...frame.marks.subarray(laneStart, laneStart + laneLength)]).toEqual(
          here.map((order) => markOf(userOf(order))),
        );
      }
    };
    const markOf = (user: string) => wallets.find(({ address }) => address === user)?.mark ?? 0;
    expectMarks(frameOf(worker, {}), markOf);
    expectMarks(frameOf(worker, { without: wallets[0]?.address }), (user) =>
      user === wallets[0]?.address ? GHOST_MARK : markOf(user),
    );
    worker.postMessage({ kind: 'watch', wallets: [] });
    expectMarks(frameOf(worker, {}), () => 0);
  });
});

describe('one wallet alone', () => {
  it('has only the rows in which it rests, with only its orders, for every visible wallet, block by block', () => {
    const worker = FakeWorker.live();
    for (let block = 0; block < 8; block += 1) {
      worker.follower.block('BTC');
      const sides = { A: ordersOf(worker, 'A'), B: ordersOf(worker, 'B') };
      const whole = frameOf(worker, {});
      for (const wallet of new Set([...sides.A, ...sides.B].map(userOf))) {
        worker.postMessage({ kind: 'only', wallet: wallet as Address });
        const frame = frameOf(worker, {});
        const sums = frameOf(worker, { notional: 'cumulative' });
        expect([frame.bid, frame.ask, frame.height]).toEqual([whole.bid, whole.ask, whole.height]);
        const own = { A: sides.A.filter((o) => userOf(o) === wallet), B: sides.B.filter((o) => userOf(o) === wallet) };
        for (const row of frame.rows) {
          const wanted = plainRow(own[row.side], frame, row, undefined);
          expect(wanted.count).toBeGreaterThan(0);
          expect(row.count).toBe(wanted.count);
          expect(row.laneLength).toBe(Math.min(8, wanted.count));
          expect(wrongAmounts(row, sums, wanted)).toEqual([]);
        }
        const rows = new Set(frame.rows.map(({ side, index }) => `${side}${index}`));
        for (const row of whole.rows) {
          const has = plainRow(own[row.side], whole, row, undefined).count > 0;
          expect(rows.has(`${row.side}${row.index}`)).toBe(has);
        }
      }
      worker.postMessage({ kind: 'only', wallet: undefined });
      expect(frameOf(worker, {}).rows).toHaveLength(whole.rows.length);
    }
  });
});
