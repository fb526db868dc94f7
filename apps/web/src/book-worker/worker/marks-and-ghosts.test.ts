import { compare, multiply, sum } from '@l4desk/decimal';
import type { Address, DecimalString, L4Order } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { type LadderFrame, readFrame } from '../frame/read-frame.ts';
import type { FrameAsk } from '../messages.ts';
import { indexHolding, tickGrid } from '../prices.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';
import { GHOST_MARK } from '../watched.ts';

const ASK: FrameAsk = {
  serial: 1,
  generation: 1,
  after: 0,
  tick: '5',
  axis: null,
  slots: 60,
  mode: 'auto',
  held: false,
  recentre: false,
  lane: 8,
  notional: 'row',
  flow: false,
};

function following(): FakeWorker {
  const worker = new FakeWorker();
  worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
  worker.follower.goLive('BTC');
  return worker;
}

function frameOf(worker: FakeWorker, change: Partial<FrameAsk>): LadderFrame {
  worker.deliver();
  worker.postMessage({ kind: 'ask', ask: { ...ASK, ...change } });
  const [message] = worker.waiting.filter(({ kind }) => kind === 'frame');
  if (message?.kind !== 'frame') throw new Error('no frame');
  return readFrame(message.buffer);
}

/** The orders of a side of the true book, in queue order. */
function ordersOf(worker: FakeWorker, side: 'A' | 'B'): readonly L4Order[] {
  return worker.follower.levels('BTC')[side === 'B' ? 0 : 1];
}

const userOf = ({ user }: L4Order) => (user ?? '').toLowerCase();

/** A row without a wallet's orders, summed order by order. */
function plainRow(orders: readonly L4Order[], frame: LadderFrame, row: number, wallet: string | undefined) {
  const grid = must(tickGrid(frame.tick), 'grid');
  const side = frame.side(row);
  const at = ({ limitPx }: L4Order) => indexHolding(grid, side, limitPx) ?? Number.NaN;
  const index = frame.index(row);
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
function wrongAmounts(frame: LadderFrame, sums: LadderFrame, row: number, plain: ReturnType<typeof plainRow>) {
  const pairs = [
    [frame.sizeText(row), plain.size],
    [frame.cumulativeText(row), plain.cumulative],
    [frame.rowText(row, 'notional'), plain.notional],
    [sums.rowText(row, 'notional'), plain.cumulativeNotional],
  ] as const;
  return pairs.filter(([got, wanted]) => !equal(got, wanted));
}

describe('the book without a wallet', () => {
  it('has the numbers of all other orders, for every visible wallet, block by block', () => {
    const worker = following();
    for (let block = 0; block < 12; block += 1) {
      worker.follower.block('BTC');
      const sides = { A: ordersOf(worker, 'A'), B: ordersOf(worker, 'B') };
      const wallets = new Set([...sides.A, ...sides.B].map(userOf));
      const whole = frameOf(worker, {});
      // The best ask is just out of sight, below.
      const asks = [...Array(whole.rowCount).keys()].filter((row) => whole.side(row) === 'A');
      const best = Math.min(...asks.map((row) => whole.index(row)));
      const scrolled = { ...whole.axis, top: best + ASK.slots, detached: true };
      for (const wallet of [undefined, ...wallets]) {
        const without = wallet as Address | undefined;
        for (const seen of block === 0 ? [null, scrolled] : [null]) {
          const frame = frameOf(worker, { without, axis: seen });
          const sums = frameOf(worker, { without, axis: seen, notional: 'cumulative' });
          expect(frame.rowCount).toBeGreaterThan(seen === null ? 3 : 0);
          for (let row = 0; row < frame.rowCount; row += 1) {
            const wanted = plainRow(sides[frame.side(row)], frame, row, wallet);
            expect(frame.count(row)).toBe(wanted.count);
            expect(wrongAmounts(frame, sums, row, wanted)).toEqual([]);
          }
        }
      }
    }
  });
});

describe('the orders of a lane', () => {
  it('carry the mark of their watched owner, 0 for no owner watched, and the ghost mark for an excluded wallet', () => {
    const worker = following();
    const orders = [...ordersOf(worker, 'A'), ...ordersOf(worker, 'B')];
    const [first, second] = [...new Set(orders.map(userOf))];
    const wallets = [
      { address: must(first, 'wallet') as Address, mark: 7 },
      { address: must(second, 'wallet') as Address, mark: 200 },
    ];
    worker.postMessage({ kind: 'watch', wallets });
    const expectMarks = (frame: LadderFrame, markOf: (user: string) => number) => {
      const grid = must(tickGrid(frame.tick), 'grid');
      for (let row = 0; row < frame.rowCount; row += 1) {
        const side = frame.side(row);
        const here = ordersOf(worker, side)
          .filter(({ limitPx }) => indexHolding(grid, side, limitPx) === frame.index(row))
          .slice(0, frame.laneLength(row));
        const start = frame.laneStart(row);
        expect([...frame.marks.subarray(start, start + frame.laneLength(row))]).toEqual(
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
    const worker = following();
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
        for (let row = 0; row < frame.rowCount; row += 1) {
          const wanted = plainRow(own[frame.side(row)], frame, row, undefined);
          expect(wanted.count).toBeGreaterThan(0);
          expect(frame.count(row)).toBe(wanted.count);
          expect(frame.laneLength(row)).toBe(Math.min(8, wanted.count));
          expect(wrongAmounts(frame, sums, row, wanted)).toEqual([]);
        }
        const rows = new Set(
          Array.from({ length: frame.rowCount }, (_, row) => `${frame.side(row)}${frame.index(row)}`),
        );
        for (let row = 0; row < whole.rowCount; row += 1) {
          const side = whole.side(row);
          const has = plainRow(own[side], whole, row, undefined).count > 0;
          expect(rows.has(`${side}${whole.index(row)}`)).toBe(has);
        }
      }
      worker.postMessage({ kind: 'only', wallet: undefined });
      expect(frameOf(worker, {}).rowCount).toBe(whole.rowCount);
    }
  });
});
