import { formatUnits } from '@l4desk/decimal';
import type { Address, DecimalString } from '@l4desk/protocol';
import { type Column, LEVELS_MAX, type PriceColumns } from './price-columns.ts';

/** A cell of the map, in CSS pixels. */
export const CELL_WIDTH = 2;
const ROW_MIN = 3;

/** The least distance from the middle to the upper and lower edge: in basis points of the price, and in levels. */
const HALF_BPS_MIN = 6;
const HALF_LEVELS_MIN = 12;

/** How much of the height the mid may use. */
const MID_SHARE = 0.8;

const PRICES_SHOWN = 5;

/** Steps of the time axis in seconds, each with the least distance of its ticks in CSS pixels: whole minutes need no seconds. */
const TIME_STEPS = [
  ...[1, 5, 10, 30].map((seconds) => ({ seconds, distance: 72 })),
  ...[60, 120, 300, 600, 1_800, 3_600].map((seconds) => ({ seconds, distance: 48 })),
];

/** Height of a wallet's mark beside the map, in CSS pixels. */
const MARK_HEIGHT = 16;
/** A mark nearer to an edge than this may be moved inwards. */
const MARK_EDGE = 12;

/** Columns that were shown in one cell and have a mid: the first, the last, and those with the lowest and the highest one. */
interface MidRange {
  readonly first: Column;
  readonly last: Column;
  readonly low: Column;
  readonly high: Column;
}

interface Extent {
  readonly width: number;
  readonly height: number;
  readonly spanMs: number;
}

/**
 * Where times and prices are on the canvas: columns of time from the left, rows of prices from the top. Prices are integers of
 * `scale`.
 */
export interface PriceView {
  readonly from: number;
  readonly to: number;
  readonly msPerCell: number;
  /** For each cell its newest column; an empty cell repeats the one before it. Undefined before the first column and in gaps. */
  readonly cells: readonly (Column | undefined)[];
  /** For each cell the mids of all its columns; undefined if there are none. */
  readonly mids: readonly (MidRange | undefined)[];
  /** The same over all cells. */
  readonly extremes: MidRange;
  readonly scale: number;
  /** Prices of a row, and the number of the top row: row n holds the prices from `n * step`. */
  readonly step: number;
  readonly top: number;
  readonly rows: number;
  readonly rowHeight: number;
  /** The step of prices, at most one: the largest power of ten of which all shown prices are multiples. */
  readonly tick: number;
}

/** What is under the crosshair: a row of prices in one block. */
export interface Readout {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly time: number;
  /** The lowest and the highest price of the row; the same if it is one price. */
  readonly from: DecimalString;
  readonly to: DecimalString;
  /** The exact sizes that rest there, and those of watched wallets; undefined if none does. */
  readonly bid: DecimalString | undefined;
  readonly ask: DecimalString | undefined;
  readonly own: DecimalString | undefined;
  /** The wallet with the most size at one of these prices; undefined if nothing rests there. */
  readonly largest: { readonly user: Address; readonly sz: DecimalString; readonly px: DecimalString } | undefined;
  /** Whether the levels held of the block reach so far. */
  readonly isKnown: boolean;
}

/** What the canvas shows, in words, and its axes. */
export interface PriceFacts {
  readonly from: number;
  readonly to: number;
  readonly first: DecimalString | undefined;
  readonly last: DecimalString | undefined;
  /** The share from the top of the last mid. */
  readonly lastAt: number | undefined;
  readonly high: DecimalString | undefined;
  readonly low: DecimalString | undefined;
  readonly prints: number;
  /** More prints than these were seen in the shown time: only the newest are kept. */
  readonly hasMorePrints: boolean;
  /** The share from the top, and the price there. */
  readonly prices: readonly { readonly at: number; readonly px: DecimalString }[];
  /** Round times, oldest first, and where they are, in CSS pixels. */
  readonly times: readonly { readonly x: number; readonly time: number }[];
  readonly width: number;
  /** Watched orders in the newest block, as far as their marks have room: the share from the top, and the wallet's mark. */
  readonly own: readonly { readonly at: number; readonly mark: number }[];
}

/** Undefined while there is nothing to show. `columns`: oldest first. */
export function priceView(columns: readonly Column[], { width, height, spanMs }: Extent): PriceView | undefined {
  const [oldest, newest] = [columns[0], columns.at(-1)];
  const count = Math.floor(width / CELL_WIDTH);
  if (oldest === undefined || newest === undefined || count < 2 || height < 4 * ROW_MIN) return undefined;
  const to = newest.time;
  // Less than the wanted time fills the width too.
  const from = Math.min(spanMs === 0 ? oldest.time : Math.max(oldest.time, to - spanMs), to - count);
  const msPerCell = (to - from) / (count - 1);
  const scale = newest.pxScale;
  const { cells, mids } = cellsOf(columns, { from, msPerCell, count, scale });
  const extremes = extremesOf(mids, scale);
  if (extremes === undefined) return undefined;
  const [low, high] = [midOf(extremes.low, scale) ?? 0, midOf(extremes.high, scale) ?? 0];
  const tick = tickOf(cells, scale);
  const apart = levelsApart(newest, tick);
  const middle = (low + high) / 2;
  const half = Math.max((middle * HALF_BPS_MIN) / 10_000, HALF_LEVELS_MIN * apart, (high - low) / 2 / MID_SHARE);
  const step = niceStep((2 * half) / Math.floor(height / ROW_MIN), apart);
  // The middle moves in steps, so that the rows stay where they are while the mid moves little.
  const rows = Math.ceil((2.5 * half) / step);
  const jump = Math.max(1, Math.floor(rows / 8));
  const top = Math.round(middle / step / jump) * jump + Math.ceil(rows / 2);
  return { from, to, msPerCell, cells, mids, extremes, scale, step, top, rows, rowHeight: height / rows, tick };
}

interface Cells {
  readonly from: number;
  readonly msPerCell: number;
  readonly count: number;
  readonly scale: number;
}

function cellsOf(
  columns: readonly Column[],
  { from, msPerCell, count, scale }: Cells,
): Pick<PriceView, 'cells' | 'mids'> {
  const cells: (Column | undefined)[] = Array.from({ length: count });
  const mids: (MidRange | undefined)[] = Array.from({ length: count });
  const cellOf = (at: number) => Math.floor(((columns[at] as Column).time - from) / msPerCell + 1e-6);
  // Searched from the start: from the end, a map of all columns would read every one of them twice.
  const first = columns.findIndex(({ time }) => time >= from);
  let next = Math.max(0, first - 1);
  while (next < columns.length) {
    const at = next;
    const cell = cellOf(at);
    do next += 1;
    while (next < columns.length && cellOf(next) === cell);
    const end = columns[next]?.isAfterGap === false ? cellOf(next) - 1 : cell;
    for (let shown = Math.max(0, cell); shown <= Math.min(count - 1, end); shown += 1) {
      cells[shown] = columns[next - 1];
      mids[shown] = midRange(columns, scale, shown === cell ? at : next - 1, next);
    }
  }
  return { cells, mids };
}

/** The range of the mids from one index up to another. */
function midRange(columns: readonly Column[], scale: number, from = 0, to = columns.length): MidRange | undefined {
  let range: { -readonly [Name in keyof MidRange]: Column } | undefined;
  let [lowest, highest] = [Infinity, -Infinity];
  for (let at = from; at < to; at += 1) {
    const column = columns[at] as Column;
    const mid = midOf(column, scale);
    if (mid === undefined) continue;
    range ??= { first: column, last: column, low: column, high: column };
    range.last = column;
    if (mid < lowest) {
      lowest = mid;
      range.low = column;
    }
    if (mid > highest) {
      highest = mid;
      range.high = column;
    }
  }
  return range;
}

function extremesOf(mids: PriceView['mids'], scale: number): MidRange | undefined {
  const columns = mids.flatMap((range) =>
    range === undefined ? [] : [range.first, range.low, range.high, range.last],
  );
  return midRange(columns, scale);
}

/** The mid in integers of a scale, or between two of them. */
export function midOf({ doubleMid, pxScale }: Column, scale: number): number | undefined {
  if (doubleMid === undefined) return undefined;
  // There are thousands of columns per frame, nearly all of this scale.
  return pxScale === scale ? doubleMid / 2 : (doubleMid / 2) * 10 ** (scale - pxScale);
}

/** Whole numbers are always prices. */
function tickOf(cells: PriceView['cells'], scale: number): number {
  let tick = 10 ** scale;
  let before: Column | undefined;
  for (const column of cells) {
    if (column === undefined || column === before) continue;
    if (tick === 1) break;
    before = column;
    const factor = 10 ** (scale - column.pxScale);
    for (const px of column.px) while (tick > 1 && (px * factor) % tick !== 0) tick /= 10;
  }
  return tick;
}

/** The smallest step between two levels of a side; the tick if there are no two. */
function levelsApart({ bids, px }: Column, tick: number): number {
  let apart = Infinity;
  for (let at = 1; at < px.length; at += 1) {
    if (at !== bids) apart = Math.min(apart, Math.abs((px[at] as number) - (px[at - 1] as number)));
  }
  return Number.isFinite(apart) ? apart : tick;
}

/** The smallest of one, two and five times a power of ten that is no smaller than both. */
function niceStep(least: number, tick: number): number {
  for (let power = 1; ; power *= 10) {
    for (const digit of [1, 2, 5]) {
      if (digit * power >= least && digit * power >= tick) return digit * power;
    }
  }
}

export const xOf = ({ from, msPerCell }: PriceView, time: number) => ((time - from) / msPerCell) * CELL_WIDTH;

/** The y position of a price in integers of the view's scale: the middle of a row that holds only this price. */
export function yOf({ top, step, tick, rowHeight }: PriceView, units: number): number {
  return (top + 1 - (units + tick / 2) / step) * rowHeight;
}

/** The number of the row that holds a price of a column. */
const rowOf = ({ scale, step }: PriceView, { pxScale }: Column, px: number) =>
  Math.floor((px * 10 ** (scale - pxScale)) / step);

/** The y position of a watched order: the middle of its row. */
export const ownY = (view: PriceView, column: Column, px: number) =>
  (view.top - rowOf(view, column, px) + 0.5) * view.rowHeight;

/** The sizes of the map's cells, as `bids` and `asks`, each row after row from the top. */
export function cellSizes(view: PriceView): { readonly bids: Float32Array; readonly asks: Float32Array } {
  const { cells, rows, top, scale, step } = view;
  const bids = new Float32Array(cells.length * rows);
  const asks = new Float32Array(cells.length * rows);
  for (const [cell, column] of cells.entries()) {
    if (column === undefined) continue;
    const { px, sz, pxScale, szScale } = column;
    const [factor, unit] = [10 ** (scale - pxScale), 10 ** -szScale];
    for (let at = 0; at < px.length; at += 1) {
      const row = top - Math.floor(((px[at] as number) * factor) / step);
      if (row < 0 || row >= rows) continue;
      const sizes = at < column.bids ? bids : asks;
      const index = row * cells.length + cell;
      sizes[index] = (sizes[index] as number) + (sz[at] as number) * unit;
    }
  }
  return { bids, asks };
}

/** What is at a cell and a row from the top; `ownerOf` names an owner by its number in the columns. */
export function readoutAt(
  view: PriceView,
  cell: number,
  row: number,
  ownerOf: (number: number) => Address | undefined,
): Readout | undefined {
  const { cells, top, step, scale, tick, rowHeight } = view;
  const column = cells[cell];
  if (column === undefined || row < 0 || row >= view.rows) return undefined;
  const wanted = top - row;
  const { bids, px, sz, owner, ownerSz, pxScale, szScale } = column;
  const isIn = (price: number) => rowOf(view, column, price) === wanted;
  const text = (units: number) => (units === 0 ? undefined : formatUnits(units, szScale));
  const sum = (from: number, to: number) => {
    let units = 0;
    for (let at = from; at < to; at += 1) if (isIn(px[at] as number)) units += sz[at] as number;
    return text(units);
  };
  let largest = -1;
  for (let at = 0; at < px.length; at += 1)
    if (isIn(px[at] as number) && (ownerSz[at] as number) > (ownerSz[largest] ?? 0)) largest = at;
  const user = ownerOf(owner[largest] ?? 0);
  const [lowest, highest] = [wanted * step, (wanted + 1) * step - tick];
  const unitsOf = (price: number) => price * 10 ** (scale - pxScale);
  // Nothing is known behind the last level that a column holds.
  const isWhole = { bids: bids < LEVELS_MAX, asks: px.length - bids < LEVELS_MAX };
  const isKnown =
    (isWhole.bids || lowest >= unitsOf(px[bids - 1] as number)) &&
    (isWhole.asks || highest <= unitsOf(px.at(-1) as number));
  return {
    x: (cell + 0.5) * CELL_WIDTH,
    y: (row + 0.5) * rowHeight,
    height: column.height,
    time: column.time,
    from: formatUnits(lowest, scale, scale),
    to: formatUnits(highest, scale, scale),
    bid: sum(0, bids),
    ask: sum(bids, px.length),
    own: text(column.own.reduce((units, order) => units + (isIn(order.px) ? order.sz : 0), 0)),
    largest:
      user === undefined
        ? undefined
        : {
            user,
            sz: formatUnits(ownerSz[largest] as number, szScale),
            px: formatUnits(px[largest] as number, pxScale),
          },
    isKnown,
  };
}

/** The text of the summary, and the labels of the price axis. */
export function factsOf(view: PriceView, { dots, droppedAt }: Pick<PriceColumns, 'dots' | 'droppedAt'>): PriceFacts {
  const { cells, extremes, from, to, scale, step, top, rows } = view;
  const lastMid = midOf(extremes.last, scale);
  const every = niceStep((rows * step) / PRICES_SHOWN, step);
  const prices: { at: number; px: DecimalString }[] = [];
  for (let units = Math.floor(((top + 1) * step) / every) * every; units > (top + 1 - rows) * step; units -= every) {
    const at = shareOf(view, yOf(view, units));
    if (at > 0.02 && at < 0.98) prices.push({ at, px: formatUnits(units, scale, scale) });
  }
  return {
    from: Math.max(from, cells.find((column) => column !== undefined)?.time ?? from),
    to,
    first: midText(extremes.first),
    last: midText(extremes.last),
    lastAt: lastMid && shareOf(view, yOf(view, lastMid)),
    high: midText(extremes.high),
    low: midText(extremes.low),
    prints: dots.filter(({ time }) => time >= from && time <= to).length,
    hasMorePrints: droppedAt >= from,
    prices,
    times: timesOf(view),
    width: cells.length * CELL_WIDTH,
    own: ownRows(view),
  };
}

function timesOf(view: PriceView): PriceFacts['times'] {
  const { from, to, msPerCell } = view;
  const fits = ({ seconds, distance }: (typeof TIME_STEPS)[number]) =>
    ((seconds * 1_000) / msPerCell) * CELL_WIDTH >= distance;
  const every = (TIME_STEPS.find(fits)?.seconds ?? 3_600) * 1_000;
  const first = Math.ceil(from / every) * every;
  const count = Math.max(0, Math.floor((to - first) / every) + 1);
  return Array.from({ length: count }, (_, at) => first + at * every).map((time) => ({ x: xOf(view, time), time }));
}

function midText(column: Column | undefined): DecimalString | undefined {
  if (column?.doubleMid === undefined) return undefined;
  return formatUnits(column.doubleMid * 5, column.pxScale + 1, column.pxScale + 1);
}

/** The orders nearest to the mid have room first. */
function ownRows(view: PriceView): PriceFacts['own'] {
  const newest = view.cells.findLast((column) => column !== undefined);
  const height = view.rows * view.rowHeight;
  const rows: { readonly y: number; readonly mark: number }[] = [];
  const shown = (y: number) => Math.max(MARK_EDGE, Math.min(height - MARK_EDGE, y));
  for (const { px, mark } of newest?.own ?? []) {
    const y = ownY(view, newest as Column, px);
    const isFree = rows.every((row) => Math.abs(shown(row.y) - shown(y)) >= MARK_HEIGHT);
    if (y > 0 && y < height && isFree) rows.push({ y, mark });
  }
  return rows.map(({ y, mark }) => ({ at: shareOf(view, y), mark }));
}

const shareOf = ({ rows, rowHeight }: PriceView, y: number) => y / (rows * rowHeight);
