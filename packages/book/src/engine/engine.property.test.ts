import type { BookChange, DecimalString, L4Order, Side } from '@l4desk/protocol';
import { documentedChecksum, fuzzRuns, order, wallet } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { L4Book } from '../l4-book.ts';
import { LadderWindow } from '../ladder-window.ts';
import { bucketOf, ModelBook, shortest, valueOf } from '../test-support/model-book.ts';
import { murmur128 } from '../test-support/murmur.ts';

const TIME = 1_778_002_753_000;
const TEMPLATE = order({ timestamp: TIME, tif: null });

/** Plain decimals, most of them ordinary, some with many digits on either side, some in unusual notation. */
const amount: fc.Arbitrary<DecimalString> = fc
  .oneof(
    { weight: 6, arbitrary: fc.tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom('', '.0', '.5', '.50', '.25')) },
    { weight: 1, arbitrary: fc.tuple(fc.nat(), fc.stringMatching(/^\.[0-9]{1,12}$/)) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('007', '00', '9007199254740993', '1' + '0'.repeat(25)), fc.constant('')),
    },
    { weight: 1, arbitrary: fc.tuple(fc.nat(9), fc.stringMatching(/^\.[0-9]{13,25}$/)) },
  )
  .map(([whole, fraction]) => `${whole}${fraction}` as DecimalString);

/** Ordinary decimals only, as the fast engine is meant for. */
const plainAmount = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom('', '.0', '.5', '.25', '.125', '.10'))
  .map(([whole, fraction]) => `${whole}${fraction}` as DecimalString);

interface Step {
  readonly kind: 'insert' | 'resize' | 'remove';
  readonly pick: number;
  readonly side: Side;
  readonly px: DecimalString;
  readonly sz: DecimalString;
  readonly before: boolean;
  /** 0: all expectations hold; otherwise which one is broken. */
  readonly fault: number;
}

function stepsOf(amounts: fc.Arbitrary<DecimalString>): fc.Arbitrary<Step[][]> {
  const step = fc.record({
    kind: fc.constantFrom<Step['kind'][]>('insert', 'insert', 'insert', 'resize', 'remove'),
    pick: fc.nat(),
    side: fc.constantFrom<Side[]>('B', 'A'),
    px: amounts,
    sz: amounts,
    before: fc.boolean(),
    fault: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }) }),
  });
  return fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 25 });
}

/** The change that a step makes to the current book: usually a valid one. */
function changeOf(step: Step, model: ModelBook, nextOid: number): BookChange {
  const resting = [...model.sides.B, ...model.sides.A];
  const target = resting[step.pick % Math.max(1, resting.length)];
  if (step.kind === 'insert' || target === undefined) {
    const beside = step.before ? target : undefined;
    const { side, px } = beside === undefined ? step : { side: beside.side, px: beside.limitPx };
    const before = step.fault === 3 ? 999_999 : (beside?.oid ?? null);
    return {
      kind: 'insert',
      oid: step.fault === 1 && target !== undefined ? target.oid : nextOid,
      user: wallet(step.pick % 4),
      side: step.fault === 2 ? other(side) : side,
      px: step.fault === 4 ? step.px : px,
      sz: step.sz,
      insertBefore: before,
    };
  }
  const place = {
    oid: step.fault === 1 ? 888_888 : target.oid,
    user: step.fault === 2 ? wallet(99) : (target.user ?? wallet(0)),
    side: step.fault === 3 ? other(target.side) : target.side,
    px: step.fault === 4 ? step.px : target.limitPx,
  };
  if (step.kind === 'remove') return { kind: 'remove', ...place };
  return { kind: 'resize', ...place, origSz: step.fault === 5 ? step.px : target.sz, newSz: step.sz };
}

function other(side: Side): Side {
  return side === 'B' ? 'A' : 'B';
}

const documented = await documentedChecksum();

interface Played {
  readonly book: L4Book;
  readonly model: ModelBook;
  readonly nextOid: number;
}

function emptyBook(): Played {
  return { book: L4Book.build('BTC', [[], []]).book, model: new ModelBook(TEMPLATE), nextOid: 412_036_241_776 };
}

/** Applies the same blocks to a book and to the model, from the state of both, and compares all their results. */
function play(blocks: readonly (readonly Step[])[], start = emptyBook()): Played {
  const { book, model } = start;
  let { nextOid } = start;
  for (const steps of blocks) {
    const changes: BookChange[] = [];
    const expected: string[] = [];
    for (const step of steps) {
      const change = changeOf(step, model, nextOid);
      nextOid += 1;
      changes.push(change);
      const finding = model.apply(change);
      if (finding !== undefined) expected.push(finding);
    }
    const crossed = model.crossed();
    if (crossed !== undefined) expected.push(crossed);
    expect(book.apply(changes, [], TIME).map(({ kind }) => kind)).toEqual(expected);
    expect(book.levels()).toEqual([model.sides.B, model.sides.A]);
    expect(book.rollingChecksum()).toBe(documented.checksum([model.sides.B, model.sides.A]));
  }
  return { book, model, nextOid };
}

function checksumText({ sides }: ModelBook): string {
  const line = ({ side, limitPx, oid, sz }: L4Order) =>
    `${side} ${shortest(valueOf(limitPx))} ${oid} ${shortest(valueOf(sz))}\n`;
  return [...sides.B, ...sides.A].map(line).join('');
}

function sumOf(orders: readonly L4Order[]): bigint {
  return orders.reduce((sum, { sz }) => sum + valueOf(sz), 0n);
}

interface ReadOrder {
  readonly oid: number;
  readonly user: string | null;
  readonly px: bigint;
  readonly sz: bigint;
  readonly timestamp: number;
  readonly texts: readonly [px: string, sz: string];
}

/** The orders of a side as its cursor reads them; fails if a level is not the sum of its orders. */
function readSide(book: L4Book, side: Side): readonly ReadOrder[] {
  const cursor = book.cursor(side);
  const inModelUnits = (units: number | bigint, scale: number) => BigInt(units) * 10n ** BigInt(60 - scale);
  const orders: ReadOrder[] = [];
  while (cursor.nextLevel()) {
    const level: ReadOrder[] = [];
    const px = inModelUnits(cursor.px, cursor.pxScale);
    while (cursor.nextOrder()) {
      const { oid, user, timestamp, pxText, szText } = cursor;
      level.push({ oid, user, px, sz: inModelUnits(cursor.sz, cursor.szScale), timestamp, texts: [pxText, szText] });
    }
    expect(cursor.levelOrders).toBe(level.length);
    expect(inModelUnits(cursor.levelSz, cursor.szScale)).toBe(level.reduce((sum, { sz }) => sum + sz, 0n));
    orders.push(...level);
  }
  return orders;
}

function readOrder({ oid, user, limitPx, sz, timestamp }: L4Order): ReadOrder {
  return { oid, user, px: valueOf(limitPx), sz: valueOf(sz), timestamp, texts: [limitPx, sz] };
}

describe.each([
  ['ordinary decimals', plainAmount],
  ['decimals of any length', amount],
])('a book of %s against the model', (_name, amounts) => {
  it('[L4-5, BOOK-1, BOOK-10, BOOK-11, BOOK-12, BOOK-13, BOOK-14] has the same orders and findings after any changes', () => {
    fc.assert(
      fc.property(stepsOf(amounts), (blocks) => {
        const { book, model } = play(blocks);
        expect(book.orderCount).toBe(model.sides.B.length + model.sides.A.length);
      }),
      fuzzRuns(150),
    );
  });

  it('[BOOK-17] has the checksum of the definition', () => {
    fc.assert(
      fc.property(stepsOf(amounts), (blocks) => {
        const { book, model } = play(blocks);
        expect(book.checksum()).toBe(murmur128(checksumText(model)));
      }),
      fuzzRuns(50),
    );
  });

  it('[BOOK-18, SNAP-8] equals a book built from its own listing', () => {
    fc.assert(
      fc.property(stepsOf(amounts), (blocks) => {
        const { book } = play(blocks);
        const levels = book.levels();
        const rebuilt = L4Book.build('BTC', levels).book;
        expect(rebuilt.levels()).toEqual(levels);
        expect(rebuilt.checksum()).toBe(book.checksum());
        expect(JSON.parse(Buffer.concat([...book.levelsJson()]).toString())).toEqual(levels);
      }),
      fuzzRuns(50),
    );
  });

  it('has a copy that equals it, and that changes on its own', () => {
    fc.assert(
      fc.property(stepsOf(amounts), stepsOf(amounts), (blocks, more) => {
        const one = play(blocks);
        const before = one.book.levels();
        const checksum = one.book.checksum();
        const copy = one.book.copy();
        play(more, { ...one, book: copy });
        expect(one.book.levels()).toEqual(before);
        expect(one.book.checksum()).toBe(checksum);
        const again = play(blocks);
        const other = again.book.copy();
        play(more, again);
        expect(other.levels()).toEqual(before);
        expect(again.book.levels()).toEqual(copy.levels());
      }),
      fuzzRuns(50),
    );
  });

  it('[BOOK-17] reads the orders of the model through a cursor, in whole units', () => {
    fc.assert(
      fc.property(stepsOf(amounts), (blocks) => {
        const { book, model } = play(blocks);
        for (const side of ['B', 'A'] as const) expect(readSide(book, side)).toEqual(model.sides[side].map(readOrder));
      }),
      fuzzRuns(50),
    );
  });

  it('[BOOK-17] has the rows, windows and queues of bigint arithmetic, for any tick', () => {
    const tick = amounts.filter((text) => /[1-9]/.test(text));
    const query = fc.record({
      tick: fc.option(tick, { nil: undefined }),
      from: fc.option(amounts, { nil: undefined }),
    });
    fc.assert(
      fc.property(stepsOf(amounts), query, fc.constantFrom<Side[]>('B', 'A'), (blocks, { tick, from }, side) => {
        const { book, model } = play(blocks);
        const grouping = { ...(tick === undefined ? {} : { tick }), ...(from === undefined ? {} : { from }) };
        const all = model.rows(side, tick);
        const start = from === undefined ? undefined : bucketOf(side, valueOf(from), tick);
        const shown = all.filter(({ px }) => start === undefined || (side === 'B' ? px <= start : px >= start));
        const rows = book.rows(side, { ...grouping, limit: 1_000 });
        expect(rows.map((row) => shortest(valueOf(row.px)))).toEqual(shown.map(({ px }) => shortest(px)));
        const window = new LadderWindow(8, 3);
        book.fill(window, side, grouping);
        expect(window.rowCount).toBe(Math.min(8, shown.length));
        for (const [index, { px, orders }] of shown.entries()) {
          const row = rows[index];
          const before = all.slice(0, all.findIndex((other) => other.px === px) + 1);
          const notional = orders.reduce((sum, item) => sum + valueOf(item.limitPx) * valueOf(item.sz), 0n);
          expect(row).toEqual({
            px: row?.px,
            sz: shortest(sumOf(orders)),
            cumSz: shortest(sumOf(before.flatMap((other) => other.orders))),
            notional: shortest(notional, 120),
            count: orders.length,
            levels: new Set(orders.map((item) => valueOf(item.limitPx))).size,
          });
          const rowTick = tick === undefined ? {} : { tick };
          const queue = book.queue(side, row?.px ?? '0', rowTick);
          expect(queue.map((item) => item.order)).toEqual(orders);
          expect(queue.map((item) => item.szAhead)).toEqual(
            orders.map((_, place) => shortest(sumOf(orders.slice(0, place)))),
          );
          expect(book.row(side, row?.px ?? '0', tick)).toEqual(row);
          if (index >= window.rowCount) continue;
          expect(window.pxText(index)).toBe(row?.px);
          expect(window.szText(index)).toBe(row?.sz);
          expect(window.cumSzText(index)).toBe(row?.cumSz);
          expect(window.count[index]).toBe(row?.count);
          const lane = orders.slice(0, 3);
          expect(window.laneCount[index]).toBe(lane.length);
          expect(window.laneUser.slice(index * 3, index * 3 + lane.length)).toEqual(lane.map(({ user }) => user));
        }
      }),
      fuzzRuns(100),
    );
  });
});
