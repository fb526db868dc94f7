import { compare, sum } from '@l4desk/decimal';
import type { Address, L4Order } from '@l4desk/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { LADDER_REQUEST } from '../../test-support/ladder-frame.ts';
import { must } from '../../test-support/must.ts';
import type { LadderFrame, LadderRequest, LadderRow } from '../ladder-frame.ts';
import { indexHolding } from '../prices.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';
import type { CanvasBook } from './canvases.ts';

let canvas: CanvasBook;
let worker: FakeWorker;

beforeEach(() => {
  worker = FakeWorker.live();
  canvas = worker.openCanvas();
});

const blocks = (count: number) => worker.blocks(count, 670);

const frameOf = (change: Partial<LadderRequest> = {}): LadderFrame =>
  must(canvas.rows({ ...LADDER_REQUEST, tick: '0.5', recentre: true, lane: 8, flow: true, ...change }), 'frame');

/** Every row in which anything moved. */
const movedIn = (frame: LadderFrame) =>
  frame.rows.flatMap(({ side, index, came, withdrawn }) =>
    came === '' ? [] : [`${side}${index} ${came} ${withdrawn}`],
  );

describe('what was added to a row and withdrawn from it', () => {
  it('covers the 5 s up to the shown block: the same on time travel as when it was live', () => {
    const lived = new Map<number, readonly string[]>();
    for (let count = 0; count < 30; count += 1) {
      blocks(1);
      const frame = frameOf();
      lived.set(frame.height, movedIn(frame));
    }
    expect([...lived.values()].filter((rows) => rows.length > 3).length).toBeGreaterThan(20);
    for (const [height, rows] of [...lived].toReversed()) {
      worker.postMessage({ kind: 'travel', to: { kind: 'height', height } });
      const frame = frameOf();
      expect(frame.height).toBe(height);
      expect(movedIn(frame)).toEqual(rows);
    }
  });

  it('does not change on a paused book while blocks arrive', () => {
    blocks(5);
    worker.pause(true);
    const paused = movedIn(frameOf());
    blocks(12);
    expect(movedIn(frameOf())).toEqual(paused);
    worker.pause(false);
    expect(movedIn(frameOf())).not.toEqual(paused);
  });

  it('reports how much of the span is covered, and nothing unless requested', () => {
    blocks(1);
    expect(frameOf().flowMs).toBe(670);
    blocks(9);
    expect(frameOf().flowMs).toBe(5_000);
    const without = frameOf({ flow: false });
    expect(without.flowMs).toBeUndefined();
    expect(movedIn(without)).toEqual([]);
  });
});

const userOf = ({ user }: L4Order) => (user ?? '').toLowerCase();

/** The place of some wallets' foremost order in a row, counted order by order. */
function plainPlace(
  orders: readonly L4Order[],
  { grid }: LadderFrame,
  { side, index }: LadderRow,
  wallets: readonly string[],
) {
  const queue = orders.filter(({ limitPx }) => indexHolding(grid, side, limitPx) === index);
  const at = queue.findIndex((order) => wallets.includes(userOf(order)));
  if (at < 0) return undefined;
  return {
    mark: wallets.indexOf(userOf(queue[at] as L4Order)) + 1,
    place: at + 1,
    orders: queue.length,
    szAhead: sum(queue.slice(0, at).map(({ sz }) => sz)),
    more: queue.filter((order) => wallets.includes(userOf(order))).length - 1,
  };
}

describe('the place of the foremost watched order of a row', () => {
  it('matches the orders in their queue, for every tick: live, paused and on time travel', () => {
    const sides = () => {
      const [bids, asks] = worker.follower.levels('BTC');
      return { A: asks, B: bids };
    };
    const wallets = [...new Set([...sides().A, ...sides().B].map(userOf))].slice(0, 3);
    worker.postMessage({ kind: 'wallets', wallets: wallets as Address[] });
    worker.postMessage({
      kind: 'watch',
      wallets: wallets.map((wallet, at) => ({ address: wallet as Address, mark: at + 1 })),
    });
    let seen = 0;
    let grouped = 0;
    const check = (frame: LadderFrame, of: ReturnType<typeof sides>) => {
      for (const row of frame.rows) {
        const { own } = row;
        const wanted = plainPlace(of[row.side], frame, row, wallets);
        expect({ ...own, szAhead: '' }).toEqual({ ...wanted, szAhead: '' });
        if (own === undefined || wanted === undefined) continue;
        expect(compare(own.szAhead, wanted.szAhead)).toBe(0);
        seen += 1;
        if (own.more > 0) grouped += 1;
      }
    };
    const ticks = ['0.5', '2', '10', '50'] as const;
    const lived = new Map<number, ReturnType<typeof sides>>();
    for (let count = 0; count < 10; count += 1) {
      blocks(1);
      const frames = ticks.map((tick) => frameOf({ tick }));
      lived.set(must(frames[0], 'frame').height, sides());
      for (const frame of frames) check(frame, sides());
    }
    worker.postMessage({ kind: 'pause', paused: true });
    for (const tick of ticks) check(frameOf({ tick }), sides());
    for (const [height, then] of lived) {
      worker.postMessage({ kind: 'travel', to: { kind: 'height', height } });
      for (const tick of ticks) check(frameOf({ tick }), then);
    }
    expect(seen).toBeGreaterThan(100);
    expect(grouped).toBeGreaterThan(10);
  });
});
