import { L4Book } from '@l4desk/book';
import { order, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';

import type { Shown } from '../worker/shown.ts';
import { type LevelData, type LevelParams, type LevelView, level } from './level.ts';

const [one, two] = [wallet(1), wallet(2)];

/** 200 asks at one price by two owners, with sizes growing from the back to the front of the queue. */
function bookOf() {
  const asks = Array.from({ length: 200 }, (_, index) =>
    order({
      oid: index + 1,
      side: 'A',
      limitPx: '100',
      sz: `${200 - index}`,
      user: index % 4 === 0 ? one : two,
      cloid: `0x${String(index).padStart(32, '0')}`,
    }),
  );
  return L4Book.build('BTC', [[], asks]).book;
}

const BY_SIZE: LevelView = {
  sort: 'sz',
  descending: false,
  owner: null,
  tif: null,
  minSz: null,
  byOwner: false,
  open: [],
};

/** Computes the pane of a book, again and again. */
function opened() {
  const compute = level.open();
  return (book: L4Book, params: LevelParams): LevelData => must(compute({ book } as Shown, params), 'data');
}

const paramsOf = (view: LevelView | null, more: Partial<LevelParams> = {}): LevelParams => {
  const row = { side: 'A', px: '100', tick: '5' } as const;
  return { level: row, isBest: false, view, from: 0, length: 10, chosen: null, ...more };
};

describe('the listed orders of a level', () => {
  it('carry their details and their true queue place, one window at a time', () => {
    const response = opened()(bookOf(), paramsOf(BY_SIZE, { from: 2, length: 3 }));
    expect(response).toMatchObject({ count: 200, length: 200, listed: { orders: 200, wallets: 2 } });
    expect(response.lines).toMatchObject([
      { index: 2, place: 197, oid: 198, sz: '3', cumSz: '6', notional: '300', user: two, cloid: expect.any(String) },
      { index: 3, place: 196, oid: 197, sz: '4', cumSz: '10', user: one },
      { index: 4, place: 195, oid: 196, sz: '5', cumSz: '15' },
    ]);
  });

  it('sum up size ahead and their own size when the queue itself is listed', () => {
    const { lines, listed, length } = opened()(bookOf(), paramsOf(null, { from: 1, length: 2 }));
    expect({ listed, length }).toEqual({ listed: null, length: 200 });
    expect(lines).toMatchObject([
      { index: 1, place: 1, szAhead: '200', cumSz: '399', notional: '19900' },
      { index: 2, place: 2, szAhead: '399', cumSz: '597' },
    ]);
  });

  it('follow the line of their owner, only for an expanded one', () => {
    const view = { ...BY_SIZE, descending: true, byOwner: true, open: [one] } as const;
    const { lines, length, listed } = opened()(bookOf(), paramsOf(view, { length: 60 }));
    expect(listed).toMatchObject({ orders: 200, wallets: 2 });
    expect(length).toBe(2 + 50);
    expect(lines.slice(0, 2)).toMatchObject([
      { index: 0, user: two, orders: 150, isOpen: false },
      { index: 1, user: one, orders: 50, isOpen: true, place: 0 },
    ]);
    expect(lines.every((line, at) => at < 2 || 'oid' in line)).toBe(true);
    expect(lines.map(({ index }) => index).slice(2)).toEqual(Array.from({ length: 50 }, (_, at) => 2 + at));
  });

  it('are those of the best price, whichever it is, while no level is chosen', () => {
    const level = { side: 'A', px: '95', tick: '5' } as const;
    const response = opened()(bookOf(), paramsOf(null, { level, isBest: true }));
    expect(response).toMatchObject({ level: { side: 'A', px: '100', tick: '5' }, count: 200 });
    expect(opened()(bookOf(), paramsOf(null, { level })).count).toBe(0);
  });

  it('are the last ones past the end of the list', () => {
    const { lines } = opened()(bookOf(), paramsOf(null, { from: 300, length: 2 }));
    expect(lines.map(({ index }) => index)).toEqual([198, 199]);
  });

  it('include the line of a chosen order, or -1 if it is filtered out', () => {
    const chosen = { oid: 200, place: 3 };
    const compute = opened();
    const choose = (view: LevelView | null) => must(compute(bookOf(), paramsOf(view, { chosen })).chosen, 'chosen');
    expect(choose(BY_SIZE)).toMatchObject({ index: 0, place: 199 });
    expect(choose(null)).toMatchObject({ index: 199, place: 199 });
    expect(choose({ ...BY_SIZE, minSz: '2' })).toMatchObject({ index: -1, place: 199 });
  });
});
