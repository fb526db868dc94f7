import { compare, sum } from '@l4desk/decimal';
import type { Address, L4Order } from '@l4desk/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { FLOW_COLUMNS, type FlowColumn } from '../../state/flow-columns.ts';
import { must } from '../../test-support/must.ts';
import { readOwnPlace } from '../frame/own-place.ts';
import { type LadderFrame, readFrame } from '../frame/read-frame.ts';
import { readRowFlow } from '../frame/row-flow.ts';
import type { FrameAsk } from '../messages.ts';
import { indexHolding, tickGrid } from '../prices.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';

const ASK: FrameAsk = {
  serial: 1,
  generation: 1,
  after: 0,
  tick: '0.5',
  axis: null,
  slots: 60,
  mode: 'auto',
  held: false,
  recentre: true,
  lane: 8,
  notional: 'none',
  flow: { columns: ['came', 'withdrawn'], spanMs: 5_000 },
};

let worker: FakeWorker;

beforeEach(() => {
  worker = new FakeWorker();
  worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
  worker.follower.goLive('BTC');
  // The book is copied shortly after it was built.
  worker.runTimers();
});

function block(): void {
  worker.follower.now += 670;
  worker.follower.block('BTC');
}

function frameOf(change: Partial<FrameAsk> = {}): LadderFrame {
  worker.deliver();
  worker.postMessage({ kind: 'ask', ask: { ...ASK, ...change } });
  const message = worker.waiting.findLast(({ kind }) => kind === 'frame');
  if (message?.kind !== 'frame') throw new Error('no frame');
  return readFrame(message.buffer);
}

const rowsOf = (frame: LadderFrame) => Array.from({ length: frame.rowCount }, (_, row) => row);

/** Every row in which anything moved. */
const movedIn = (frame: LadderFrame) =>
  rowsOf(frame).flatMap((row) => {
    const flow = frame.rowText(row, 'flow');
    return flow === '' ? [] : [`${frame.side(row)}${frame.index(row)} ${flow}`];
  });

describe('what was added to a row and withdrawn from it', () => {
  it('covers the 5 s up to the shown block: the same on time travel as when it was live', () => {
    const lived = new Map<number, readonly string[]>();
    for (let count = 0; count < 30; count += 1) {
      block();
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
    for (let count = 0; count < 5; count += 1) block();
    worker.postMessage({ kind: 'pause', paused: true });
    const paused = movedIn(frameOf());
    for (let count = 0; count < 12; count += 1) block();
    expect(movedIn(frameOf())).toEqual(paused);
    worker.postMessage({ kind: 'pause', paused: false });
    expect(movedIn(frameOf())).not.toEqual(paused);
  });

  it('reports how much of the span is covered, and nothing unless requested', () => {
    block();
    expect(frameOf().flow).toEqual({ spanMs: 5_000, knownMs: 670, bits: 3 });
    for (let count = 0; count < 9; count += 1) block();
    expect(frameOf().flow?.knownMs).toBe(5_000);
    const without = frameOf({ flow: null });
    expect(without.flow).toBeUndefined();
    expect(movedIn(without)).toEqual([]);
  });

  it('carries any of the kinds over the block, 5 s or 60 s: never netted, and their sums are what came and was withdrawn', () => {
    const of = (spanMs: number, columns: readonly FlowColumn[]) => {
      const frame = frameOf({ flow: { spanMs, columns } });
      return new Map(
        rowsOf(frame).map((row) => [rowKey(frame, row), readRowFlow(frame.rowText(row, 'flow')).map(({ sz }) => sz)]),
      );
    };
    const rowKey = (frame: LadderFrame, row: number) => `${frame.side(row)}${frame.index(row)}`;
    expect(frameOf({ flow: { spanMs: 0, columns: ['came'] } }).flow?.knownMs).toBeUndefined();
    for (let count = 0; count < 20; count += 1) block();
    const seen = new Set<FlowColumn>();
    const sizes: number[] = [];
    for (const spanMs of [0, 5_000, 60_000]) {
      const all = of(spanMs, FLOW_COLUMNS);
      let moved = 0;
      for (const [key, [came = '0', withdrawn = '0', added = '0', cancelled = '0', shrunk = '0', ...rest]] of all) {
        const [executed = '0', requotedIn = '0', requotedOut = '0'] = rest;
        expect([key, compare(came, sum([added, requotedIn]))]).toEqual([key, 0]);
        expect([key, compare(withdrawn, sum([cancelled, shrunk, requotedOut]))]).toEqual([key, 0]);
        const kinds = { came, withdrawn, added, cancelled, shrunk, executed, requotedIn, requotedOut };
        for (const column of FLOW_COLUMNS) if (compare(kinds[column], '0') > 0) seen.add(column);
        moved += Number(came);
      }
      sizes.push(moved);
      // A column has the same sizes whatever is beside it.
      const two = of(spanMs, ['added', 'executed']);
      for (const [key, texts] of all) {
        const [added, executed] = two.get(key) ?? [];
        expect([key, added ?? '0', executed ?? '0']).toEqual([key, texts[2] ?? '0', texts[5] ?? '0']);
      }
    }
    expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
    expect(sizes[2]).toBeGreaterThan(sizes[0] ?? 0);
    expect([...seen]).toEqual(expect.arrayContaining(['came', 'withdrawn', 'added', 'cancelled']));
  });
});

const userOf = ({ user }: L4Order) => (user ?? '').toLowerCase();

/** The place of some wallets' foremost order in a row, counted order by order. */
function plainPlace(orders: readonly L4Order[], frame: LadderFrame, row: number, wallets: readonly string[]) {
  const grid = must(tickGrid(frame.tick), 'grid');
  const queue = orders.filter(({ limitPx }) => indexHolding(grid, frame.side(row), limitPx) === frame.index(row));
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
      for (const row of rowsOf(frame)) {
        const own = readOwnPlace(frame.rowText(row, 'own'));
        const wanted = plainPlace(of[frame.side(row)], frame, row, wallets);
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
      block();
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
