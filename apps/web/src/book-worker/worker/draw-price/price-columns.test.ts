import { L4Book } from '@l4desk/book';
import { formatUnits } from '@l4desk/decimal';
import { History, printsOf } from '@l4desk/insight';
import type { Address, Side } from '@l4desk/protocol';
import { BusyFeed } from '@l4desk/testkit';
import { beforeEach, expect, it } from 'vitest';
import { must } from '../../../test-support/must.ts';
import { FakeWorker } from '../../test-support/fake-worker.ts';
import type { CanvasBook } from '../canvases.ts';
import { Marks } from '../marks.ts';
import type { Shown } from '../shown.ts';
import { COLUMN_MS, type Column, LEVELS_MAX, PRINTS_MAX, PriceColumns } from './price-columns.ts';
import { factsOf, midOf, priceView, readoutAt, yOf } from './price-view.ts';

const BLOCK_MS = 67;

let worker: FakeWorker;
let book: CanvasBook;
let columns: PriceColumns;
let now = 0;

beforeEach(() => {
  worker = FakeWorker.live();
  book = worker.openCanvas();
  columns = new PriceColumns(book.marks);
});

const ownerOf = (number: number) => columns.ownerOf(number);

const line = () => must(book.shown(), 'book').past.line;

/** Lets blocks arrive; the columns are read after each of them if `isRead`. */
function blocks(count: number, isRead: boolean): void {
  for (let block = 0; block < count; block += 1) {
    worker.blocks(1, BLOCK_MS);
    if (isRead) read();
  }
}

/** What is drawn of columns, those that were read unless others are given. */
const viewOf = (kept: readonly Column[] = columns.columns, size: Partial<Parameters<typeof priceView>[1]> = {}) =>
  must(priceView(kept, { width: 400, height: 300, spanMs: 0, ...size }), 'view');

/** Reads until there is nothing more to read at once. */
function read(): void {
  now += 10_000;
  while (columns.read(must(book.shown(), 'book'), now) === 0);
}

/** A column's levels, and a book's nearest ones, as texts. */
const levelsOf = ({ px, sz, bids, pxScale, szScale }: Column) =>
  [...px].map((units, at) => [at < bids ? 'B' : 'A', formatUnits(units, pxScale), formatUnits(sz[at] ?? 0, szScale)]);

const nearest = (of: L4Book) =>
  (['B', 'A'] as const).flatMap((side: Side) =>
    of.rows(side, { limit: LEVELS_MAX }).map(({ px, sz }) => [side, plain(px), plain(sz)]),
  );

const plain = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

function expectBooks(): void {
  const kept = line();
  for (const column of columns.columns) {
    const there = kept.bookAt(column.place);
    expect(levelsOf(column)).toEqual(nearest(there));
    expect(kept.markAt(column.place)).toMatchObject({ height: column.height, time: column.time });
  }
}

const printsOfLine = () => {
  const kept = line();
  const places = Array.from({ length: kept.last - kept.first }, (_, at) => kept.first + 1 + at);
  return places.flatMap((place) => printsOf(kept.blockAt(place)?.events() ?? []));
};

function expectPrints(): void {
  const expected = printsOfLine().map(({ sz, px }) => [Number(sz), Number(px)]);
  expect(expected.length).toBeGreaterThan(0);
  expect(columns.dots.map(({ sz, px }) => [sz, px])).toEqual(expected);
}

it.each([true, false])('every column is the book of its block, at most one each 250 ms (seen live: %s)', (isRead) => {
  blocks(60, isRead);
  read();
  const times = columns.columns.map(({ time }) => time);
  const apart = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  // Four blocks of 67 ms.
  expect(apart.length).toBeGreaterThanOrEqual(14);
  expect(apart.every((ms) => ms >= COLUMN_MS && ms <= COLUMN_MS + BLOCK_MS)).toBe(true);
  expectBooks();
  expectPrints();
});

it.each([true, false])(
  'the newest column is the book of the newest block, however short it follows (seen live: %s)',
  (isRead) => {
    for (const count of [21, 1, 1, 1]) {
      blocks(count, isRead);
      read();
      expect(columns.columns.at(-1)?.place).toBe(line().last);
      expectBooks();
    }
  },
);

it('blocks that were not seen, behind a pause or a hidden page, are read from what is kept', () => {
  blocks(20, true);
  blocks(40, false);
  blocks(20, true);
  const times = columns.columns.map(({ time }) => time);
  expect(Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toBeLessThanOrEqual(
    COLUMN_MS + BLOCK_MS,
  );
  expectBooks();
  expectPrints();
});

it('what is no longer kept is left out, and what a gap hides is not drawn over', () => {
  blocks(20, true);
  worker.follower.now += 5_000;
  worker.follower.goLive('BTC', { height: 300, seq: 90 });
  worker.runTimers();
  blocks(20, true);
  const after = columns.columns.filter(({ isAfterGap }) => isAfterGap);
  expect(after.map(({ height }) => height)).toEqual([expect.toSatisfy((height) => height >= 300)]);
  const view = viewOf();
  expect(view.cells.filter((cell) => cell === undefined).length).toBeGreaterThan(100);
  worker.follow('ETH', 2);
  worker.follower.goLive('ETH');
  worker.runTimers();
  read();
  expect(columns.columns).toHaveLength(1);
});

it('a readout has the exact size of its row of prices in its block', () => {
  blocks(60, true);
  const view = viewOf();
  let sizes = 0;
  for (const cell of [0, 60, 120, 199]) {
    const column = must(view.cells[cell], 'column');
    const there = line().bookAt(column.place);
    for (let row = 0; row < view.rows; row += 1) {
      const readout = must(readoutAt(view, cell, row, ownerOf), 'readout');
      for (const side of ['B', 'A'] as const) {
        const within = there
          .rows(side, { limit: 5_000 })
          .filter(
            ({ px }) =>
              Number(px) >= Number(readout.from) && Number(px) < Number(readout.from) + view.step / 10 ** view.scale,
          );
        const sum = within.reduce((total, { sz }) => total + Math.round(Number(sz) * 1e8), 0);
        const read = Math.round(Number(readout[side === 'B' ? 'bid' : 'ask'] ?? 0) * 1e8);
        expect([cell, row, side, read]).toEqual([cell, row, side, readout.isKnown ? sum : Math.min(read, sum)]);
        sizes += sum > 0 ? 1 : 0;
      }
      expect(readout.height).toBe(column.height);
    }
  }
  expect(sizes).toBeGreaterThan(50);
});

it('a readout names the wallet with the most size at one of its prices, and that size', () => {
  blocks(60, true);
  const view = viewOf();
  const seen = new Set<string>();
  for (const cell of [0, 120, 199]) {
    const column = must(view.cells[cell], 'column');
    const orders = [...line().bookAt(column.place).orders('B'), ...line().bookAt(column.place).orders('A')];
    const sizes = new Map<string, number>();
    for (const { user, limitPx, sz } of orders) {
      const key = `${user} ${plain(limitPx)}`;
      sizes.set(key, (sizes.get(key) ?? 0) + Math.round(Number(sz) * 1e8));
    }
    for (let row = 0; row < view.rows; row += 1) {
      const { from, isKnown, largest } = must(readoutAt(view, cell, row, ownerOf), 'readout');
      if (!isKnown) continue;
      const within = [...sizes].filter(([key]) => {
        const px = Number(key.split(' ')[1]);
        return px >= Number(from) && px < Number(from) + view.step / 10 ** view.scale;
      });
      const most = Math.max(0, ...within.map(([, sz]) => sz));
      expect([cell, row, Math.round(Number(largest?.sz ?? 0) * 1e8)]).toEqual([cell, row, most]);
      if (largest === undefined) continue;
      expect(sizes.get(`${largest.user} ${largest.px}`)).toBe(most);
      seen.add(largest.user);
    }
  }
  expect(seen.size).toBeGreaterThan(3);
});

it('columns stay when their blocks are no longer kept; what was kept and not seen is a gap', () => {
  const feed = new BusyFeed(300);
  const kept = new History('BTC', { blocks: 30, changes: 100_000, stretches: 8 });
  kept.begin(L4Book.build('BTC', feed.levels()).book, feed.start, '');
  const marks = new Marks();
  const map = new PriceColumns(marks);
  const readAll = () => {
    now += 10_000;
    while (map.read({ frozen: false, past: { line: kept } } as Shown, now) === 0);
  };
  const add = (count: number, isRead: boolean) => {
    for (let block = 0; block < count; block += 1) {
      kept.add(feed.block());
      if (isRead) readAll();
    }
  };
  readAll();
  add(120, true);
  const heights = map.columns.map(({ height }) => height);
  expect(heights[0]).toBe(feed.start.height);
  expect(heights.length).toBeGreaterThan(25);
  expect(map.columns[0]?.place).toBeLessThan(kept.first);

  const [user] = [...kept.newestBook().orders('B')].map((order) => order.user);
  marks.watch([{ address: must(user).toLowerCase() as Address, mark: 1 }]);
  readAll();
  expect(map.columns.map(({ height }) => height)).toEqual(heights);
  expect(map.columns.filter(({ isAfterGap }) => isAfterGap)).toEqual([]);
  expect(map.columns.filter(({ own }) => own.length > 0).every((column) => column.place >= kept.first)).toBe(true);
  expect(map.columns.at(-1)?.own.length).toBeGreaterThan(0);

  add(60, false);
  readAll();
  expect(map.columns.filter(({ isAfterGap }) => isAfterGap).map(({ place: at }) => at)).toEqual([kept.first]);
  expect(map.columns[0]?.height).toBe(feed.start.height);
});

it.each([
  ['bid', -1],
  ['ask', 1],
] as const)(
  'behind the last %s that is held, sizes are unknown, and in its row if that goes on there',
  (_, direction) => {
    // Bids from 1000 downward, asks from 1001 upward, 64 of each.
    const px = Float64Array.from([
      ...Array.from({ length: LEVELS_MAX }, (__, at) => 1_000 - at),
      ...Array.from({ length: LEVELS_MAX }, (__, at) => 1_001 + at),
    ]);
    const sz = new Float64Array(2 * LEVELS_MAX).fill(1);
    const scales = { pxScale: 0, szScale: 0, bids: LEVELS_MAX, owner: sz, ownerSz: sz };
    const column = { ...scales, place: 0, height: 1, time: 0, isAfterGap: false, px, sz, doubleMid: 2_001, own: [] };
    // The mid moves by 60, so that rows are of five prices and the last level is in view.
    const moved = { ...column, place: 1, time: 1_000, doubleMid: 2_001 + 2 * 60 * direction };
    const view = viewOf([column, moved], { width: 40, height: 60 });
    expect(view.step).toBe(5);
    const last = 1_000.5 + direction * 63.5;
    const readouts = Array.from({ length: view.rows }, (__, row) => must(readoutAt(view, 0, row, ownerOf), 'readout'));
    const behind = readouts.filter(({ from, to }) => (direction < 0 ? Number(from) < last : Number(to) > last));
    expect(behind.length).toBeGreaterThan(1);
    expect(readouts.filter(({ isKnown }) => !isKnown)).toEqual(behind);
  },
);

it('the summary has the first and the last mid, the extremes and the prints of the shown time', () => {
  blocks(60, true);
  const view = viewOf(columns.columns, { spanMs: 2_000 });
  const facts = factsOf(view, columns);
  const shown = columns.columns.filter(({ time }) => time >= view.to - 2_000);
  const mids = shown.map(({ place }) => {
    const there = line().bookAt(place);
    return (Number(there.best('B')?.px) + Number(there.best('A')?.px)) / 2;
  });
  expect(Number(facts.last)).toBe(mids.at(-1));
  const lastY = yOf(view, (mids.at(-1) ?? 0) * 10 ** view.scale);
  expect(facts.lastAt).toBeCloseTo(lastY / (view.rows * view.rowHeight), 9);
  expect([Number(facts.high), Number(facts.low)]).toEqual([Math.max(...mids), Math.min(...mids)]);
  expect(facts.to - facts.from).toBeLessThanOrEqual(2_000);
  expect(facts.prints).toBe(columns.dots.filter(({ time }) => time >= view.from).length);
});

it('marks of own orders do not overlap, at an edge where they are moved inwards either', () => {
  const own = Array.from({ length: 200 }, (_, at) => ({ px: 1_100 - at, sz: 1, mark: 1 }));
  const column = { ...columnAt(1, [1_000, 1_001]), own };
  const kept = [columnAt(0, [1_000, 1_001]), column];
  for (const height of [60, 90, 120, 300]) {
    const view = viewOf(kept, { width: 380, height });
    const shown = factsOf(view, columns).own.map(({ at }) => Math.max(10, Math.min(height - 10, at * height)));
    const gaps = shown.toSorted((a, b) => a - b).map((y, at, all) => y - (all[at - 1] ?? -16));
    expect(Math.min(...gaps)).toBeGreaterThan(15.99);
    expect(shown.length).toBeGreaterThan(1);
  }
});

/** A column with these bids and asks, at most one each. */
function columnAt(place: number, levels: readonly number[], change: Partial<Column> = {}): Column {
  const sz = new Uint32Array(levels.length).fill(1);
  const [time, bids, px] = [place * COLUMN_MS, levels.length / 2, Uint32Array.from(levels)];
  const doubleMid = (levels[0] ?? 0) + (levels[bids] ?? 0);
  const sizes = { sz, szScale: 0, owner: sz, ownerSz: sz, own: [] };
  return { place, height: place, time, isAfterGap: false, pxScale: 0, bids, px, doubleMid, ...sizes, ...change };
}

it.each([
  [300, 60_000, 30],
  [300, 300_000, 60],
  [280, 1_800_000, 600],
  [1_200, 60_000, 5],
  [1_200, 300_000, 30],
  [1_200, 1_800_000, 120],
])('%i px of %i ms have ticks at whole times %i s apart', (width, spanMs, seconds) => {
  const kept = Array.from({ length: spanMs / COLUMN_MS + 20 }, (_, at) => columnAt(at + 1_234, [80_000, 80_001]));
  const view = viewOf(kept, { width, spanMs });
  const { times, from, to } = factsOf(view, { dots: [], droppedAt: Number.NEGATIVE_INFINITY });
  const every = seconds * 1_000;
  const first = Math.ceil(from / every);
  const count = Math.floor(to / every) - first + 1;
  expect(times.map(({ time }) => time)).toEqual(Array.from({ length: count }, (_, at) => (first + at) * every));
  for (const { x, time } of times) expect(x / width).toBeCloseTo((time - from) / (to - from), 1);
});

it('the map of a part of the kept time begins with the block that was shown then', () => {
  const kept = [0, 10, 30, 40].map((place) => columnAt(place, [80_000, 80_001]));
  const view = must(priceView(kept, { width: 40, height: 60, spanMs: 20 * COLUMN_MS }), 'view');
  expect(view.from).toBe(20 * COLUMN_MS);
  expect([view.cells[0]?.place, view.cells.at(-1)?.place]).toEqual([10, 40]);
});

it('a mid of 250 ms is seen in half an hour, in which a cell has many of them', () => {
  const [high, low] = [3_333, 5_001];
  const kept = Array.from({ length: 7_200 }, (_, at) => {
    const away = at === high ? 700 : at === low ? -700 : 0;
    return columnAt(at, [80_000 + away, 80_001 + away]);
  });
  const view = viewOf(kept);
  const facts = factsOf(view, { dots: [], droppedAt: Number.NEGATIVE_INFINITY });
  expect(view.cells.length).toBe(200);
  expect([facts.high, facts.low, facts.first, facts.last]).toEqual(['80700.5', '79300.5', '80000.5', '80000.5']);
  const drawn = view.mids.map((mids) => mids && [midOf(mids.low, 0), midOf(mids.high, 0)]);
  expect(drawn.filter((mids) => mids?.[0] !== mids?.[1])).toEqual([
    [80_000.5, 80_700.5],
    [79_300.5, 80_000.5],
  ]);
  for (const mid of [79_300.5, 80_700.5]) {
    expect(yOf(view, mid)).toBeGreaterThan(0);
    expect(yOf(view, mid)).toBeLessThan(300);
  }
});

it('a readout has all prices of its row, also where levels are far apart', () => {
  const levels = [80_000, 79_930, 79_860, 80_050, 80_120, 80_190];
  const sparse = (factor: number, pxScale: number) => {
    const prices = levels.map((px) => px * factor);
    const kept = [0, 1].map((at) => columnAt(at, prices, { pxScale }));
    return must(readoutAt(viewOf(kept), 199, 5, ownerOf), 'readout');
  };
  const readout = sparse(1, 0);
  const step = Number(readout.to) - Number(readout.from) + 1;
  expect(step).toBeGreaterThanOrEqual(70);
  expect([1, 2, 5].map((digit) => Math.log10(step / digit) % 1)).toContain(0);
  // Far away a price may have more digits.
  expect(sparse(10, 1)).toMatchObject({ from: `${readout.from}.0`, to: `${readout.to}.0` });
});

it('more prints than are kept are a lower bound of what was seen', () => {
  blocks(4, true);
  const view = () => viewOf(columns.columns, { spanMs: 60_000 });
  expect(factsOf(view(), columns).hasMorePrints).toBe(false);
  const many = Array.from({ length: PRINTS_MAX }, () => must(columns.dots.at(-1), 'print'));
  (columns.dots as (typeof many)[number][]).push(...many);
  read();
  expect(columns.dots).toHaveLength(PRINTS_MAX);
  expect(factsOf(view(), columns).hasMorePrints).toBe(true);
  expect(factsOf({ ...view(), from: columns.droppedAt + 1 }, columns).hasMorePrints).toBe(false);
});

it('orders of watched wallets are at their exact prices and sizes, also in the blocks before the wallet was watched', () => {
  blocks(40, true);
  expect(columns.columns.flatMap(({ own }) => own)).toEqual([]);
  const user = must(worker.follower.levels('BTC')[0][0]?.user, 'owner');
  const address = user.toLowerCase() as Address;
  worker.postMessage({ kind: 'watch', wallets: [{ address, mark: 3 }] });
  blocks(40, true);
  for (const column of columns.columns) {
    const there = line().bookAt(column.place);
    const within = new Set<string>([...column.px].map((units) => formatUnits(units, column.pxScale)));
    const expected = (['B', 'A'] as const).flatMap((side) =>
      [...there.orders(side)].filter((order) => order.user === user && within.has(plain(order.limitPx))),
    );
    const own = column.own.map(({ px, sz, mark }) => [
      formatUnits(px, column.pxScale),
      formatUnits(sz, column.szScale),
      mark,
    ]);
    expect(own).toEqual(expected.map(({ limitPx, sz }) => [plain(limitPx), plain(sz), 3]));
  }
  const view = viewOf();
  const { own } = factsOf(view, columns);
  expect(own.length).toBeGreaterThan(0);
  for (const { at, mark } of own) {
    const readout = must(readoutAt(view, view.cells.length - 1, Math.floor(at * view.rows), ownerOf), 'readout');
    expect([mark, Number(readout.own) > 0]).toEqual([3, true]);
  }
});
