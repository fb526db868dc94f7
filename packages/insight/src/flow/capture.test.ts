import { L4Book } from '@l4desk/book';
import type { DecimalString } from '@l4desk/protocol';
import { type BookCapture, generatedCapture, realCapture } from '@l4desk/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { differenceBetween } from '../history/difference.ts';
import { History } from '../history/history.ts';
import { BruteBook, big, type Moved, plain, sumsOf } from '../test-support/brute-flow.ts';
import { FLOW_KINDS } from './flow-event.ts';
import type { LevelFlow } from './flow-totals.ts';
import { FlowWindow } from './flow-window.ts';

/** Set by `npm run soak -- insight`. */
const IS_SOAK = process.env.L4DESK_INSIGHT_SOAK !== undefined;

/** A recording with a block a second, so that blocks leave both windows. */
function slow({ batches, ...rest }: BookCapture): BookCapture {
  const start = batches[0]?.time ?? 0;
  const spread = batches.map((batch, index) => ({ ...batch, time: start + index * 1_000 }));
  return { ...rest, name: `${rest.name} with a block a second`, batches: spread };
}

/** If the real recording is missing, a generated one takes its place. */
const captures = [realCapture() ?? generatedCapture(), slow(generatedCapture())];

/** Compares as text, which is fast for thousands of lines. */
const text = JSON.stringify;

function linesOf(levels: Iterable<LevelFlow>): readonly string[] {
  return [...levels]
    .flatMap(({ side, px, flow }) =>
      FLOW_KINDS.filter((kind) => flow[kind].count > 0).map((kind) => {
        return `${side} ${px} ${kind} ${flow[kind].sz} in ${flow[kind].count}`;
      }),
    )
    .sort();
}

describe.each(captures)('along $name', ({ levels, batches }) => {
  const [first] = batches;
  if (first === undefined) throw new Error('a recording has blocks');
  const start = { height: first.height - 1, time: first.time - 67, epoch: first.epoch, seq: first.prevSeq };

  /** What an independent computation reports for each block, and each changed order after it: null if it did not rest. */
  let told: readonly {
    readonly time: number;
    readonly moved: readonly Moved[];
    readonly orders: ReadonlyMap<number, State>;
  }[];

  beforeAll(() => {
    const brute = new BruteBook(levels.flat());
    told = batches.map(({ changes, statuses, time }) => {
      const moved = brute.apply(changes, statuses);
      const orders = changes.map(({ oid, side, px }): [number, State] => {
        const sz = brute.orders.get(oid)?.sz;
        return [oid, { at: `${side} ${plain(big(px))}`, sz: sz === undefined ? null : plain(sz) }];
      });
      return { time, moved, orders: new Map(orders) };
    });
  });

  function recorded() {
    const history = new History('BTC');
    history.begin(L4Book.build('BTC', levels).book, start, '');
    return history;
  }

  /** What moved in the last `spanMs` before a block, including the block itself. */
  function movedWithin(spanMs: number, at: number): readonly Moved[] {
    const now = told[at]?.time ?? 0;
    return told.slice(0, at + 1).flatMap(({ time, moved }) => (time > now - spanMs || time === now ? moved : []));
  }

  it('flow per level in a block, 5 s and 60 s equals an independent one after each block', () => {
    const history = recorded();
    const windows = [0, 5_000, 60_000].map((spanMs) => new FlowWindow(spanMs));
    for (const [at, batch] of batches.entries()) {
      expect(history.add(batch)?.events()).toHaveLength(batch.changes.length);
      for (const window of windows) {
        window.moveTo(history, history.last);
        const moved = window.spanMs === 0 ? (told[at]?.moved ?? []) : movedWithin(window.spanMs, at);
        expect(text(linesOf(window.totals.changed()))).toBe(text(sumsOf(moved)));
      }
    }
  });

  it('size that moved at each row by kind equals an independent computation, in every window and for any tick', () => {
    const history = recorded();
    const windows = [0, 5_000, 60_000].map((spanMs) => new FlowWindow(spanMs));
    for (const [at, batch] of batches.entries()) {
      history.add(batch);
      for (const window of windows) {
        window.moveTo(history, history.last);
        // Summing a minute of changes is slow: a sample of the blocks is enough, and fewer of the longest window.
        if (at % (window.spanMs === 60_000 ? 31 : 7) !== 0 && at !== batches.length - 1) continue;
        const moved = window.spanMs === 0 ? (told[at]?.moved ?? []) : movedWithin(window.spanMs, at);
        for (const tick of ['0.5', '1', '20'] as const) {
          const rows = window.totals.moved(tick);
          for (const [row, { side, px, sums }] of movedByRow(moved, big(tick))) {
            const found = rows.at(side, px);
            const sizes = FLOW_KINDS.map((kind) => `${kind} ${found?.size([kind]) ?? '0'}`);
            const expected = FLOW_KINDS.map((kind) => `${kind} ${plain(sums.get(kind) ?? 0n)}`);
            expect(text([row, ...sizes])).toBe(text([row, ...expected]));
            const came = ['added', 'requotedIn', 'grown'] as const;
            expect(found?.size(came) ?? '0').toBe(plain(came.reduce((sum, kind) => sum + (sums.get(kind) ?? 0n), 0n)));
            const { inferred = 0 } = window.totals.row(side, px, tick).executed;
            expect(found?.isInferred ?? false).toBe(inferred > 0);
          }
          expect(rows.at('B', '3')).toBeUndefined();
        }
      }
    }
  });

  it('the difference between any two blocks equals an independent computation', () => {
    const history = recorded();
    for (const batch of batches) history.add(batch);
    const first = levels.flat().map(({ oid, sz }): [number, string] => [oid, plain(big(sz))]);
    // A sample; all pairs in `npm run soak -- insight`.
    const [far, near] = IS_SOAK ? [1, 1] : batches.length > 60 ? [37, 7] : [11, 3];
    for (let low = 0; low < batches.length; low += far) {
      const before = new Map<number, string | null>(first);
      for (const { orders } of told.slice(0, low)) for (const [oid, { sz }] of orders) before.set(oid, sz);
      const after = new Map<number, State>();
      for (let high = low + 1; high <= batches.length; high += 1) {
        for (const [oid, state] of told[high - 1]?.orders ?? []) after.set(oid, state);
        if (high % near !== 0) continue;
        const there = differenceBetween(history, low, high);
        const expected = [...after].flatMap(([oid, { at, sz }]) => {
          const was = before.get(oid) ?? null;
          return was === sz ? [] : [`${at} ${oid} ${was} ${sz}`];
        });
        const size = (sz: string | null) => (sz === null ? null : plain(big(sz)));
        const found = there.orders.map((one) => `${one.side} ${one.px} ${one.oid} ${size(one.from)} ${size(one.to)}`);
        expect(text(found.sort())).toBe(text(expected.sort()));
        expect(text(linesOf(there.flow.changed()))).toBe(
          text(sumsOf(told.slice(low, high).flatMap(({ moved }) => moved))),
        );
        const back = differenceBetween(history, high, low);
        const turned = there.orders.map((one) => ({ ...one, from: one.to, to: one.from }));
        expect(text(back.orders)).toBe(text(turned));
        const byLevel = new Map<string, bigint>();
        for (const { side, px, from, to } of there.orders) {
          const key = `${side} ${px}`;
          byLevel.set(key, (byLevel.get(key) ?? 0n) + big(to ?? '0') - big(from ?? '0'));
        }
        const levelLines = there.levels.map(({ side, px, sz }) => `${side} ${plain(big(px))} ${sz}`);
        expect(text(levelLines)).toBe(text([...byLevel].map(([key, sz]) => `${key} ${plain(sz)}`)));
      }
    }
  });
});

/** By row: a bid's price rounds down to a multiple of the tick, an ask's up. */
function movedByRow(moved: readonly Moved[], tick: bigint) {
  const rows = new Map<string, { side: 'A' | 'B'; px: DecimalString; sums: Map<string, bigint> }>();
  for (const { kind, side, px, sz } of moved) {
    const units = big(px);
    const down = (units / tick) * tick;
    const at = plain(side === 'B' || down === units ? down : down + tick) as DecimalString;
    const row = rows.get(`${side} ${at}`) ?? { side, px: at, sums: new Map<string, bigint>() };
    row.sums.set(kind, (row.sums.get(kind) ?? 0n) + sz);
    rows.set(`${side} ${at}`, row);
  }
  return rows;
}

interface State {
  readonly at: string;
  readonly sz: string | null;
}
