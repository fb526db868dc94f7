import type { L4Book } from '@l4desk/book';
import { type BlockMark, type FlowEvent, type History, placeOfMark, printsOf, type WalkStep } from '@l4desk/insight';
import type { Marks } from '../marks.ts';
import type { Shown } from '../shown.ts';

/** Shortest block time between two columns. */
export const COLUMN_MS = 250;

/** Levels of a side that a column holds, from the best price outward. */
export const LEVELS_MAX = 64;

/** Half an hour of columns, about 2.3 kB each. */
const COLUMNS_MAX = 7_200;

const PRINTS_MAX = 20_000;

/** After more unseen block time than this, the missed blocks are read from the history. */
const UNSEEN_MS = 1_000;

/** Shortest time between two such readings. */
const WALK_APART_MS = 3_000;

/** How long a step of such a reading may delay the ladder. */
const WALK_STEP_MS = 3;

/** The book near its mid after one block. Prices and sizes are integers of its scales. */
export interface Column {
  readonly place: number;
  readonly height: number;
  readonly time: number;
  /** What is between it and the column before is unknown. */
  readonly isAfterGap: boolean;
  readonly pxScale: number;
  readonly szScale: number;
  /** The first `bids` levels are bids, the others asks; each side from the best price outward. */
  readonly bids: number;
  readonly px: Float64Array;
  readonly sz: Float64Array;
  /** Bid plus ask: twice the mid. Undefined if a side is empty. */
  readonly doubleMid: number | undefined;
  /** The orders of watched wallets among these levels. */
  readonly own: readonly OwnOrder[];
}

interface OwnOrder {
  readonly px: number;
  readonly sz: number;
  /** The wallet's mark, from 1. */
  readonly mark: number;
}

/** A print as a dot: its numbers only place it. */
export interface Dot {
  readonly place: number;
  readonly time: number;
  readonly px: number;
  readonly sz: number;
  readonly isBuy: boolean;
}

const levels = { px: new Float64Array(2 * LEVELS_MAX), sz: new Float64Array(2 * LEVELS_MAX) };

const NO_ORDERS: readonly OwnOrder[] = [];

/** Columns and prints, oldest first, up to a place. */
interface Series {
  readonly columns: Column[];
  readonly dots: Dot[];
  last: number;
}

const emptySeries = (last: number): Series => ({ columns: [], dots: [], last });

/** A reading of the history, and what was added meanwhile. */
interface Walk {
  readonly steps: Generator<WalkStep, void, undefined>;
  readonly since: Series;
  /** The place of the last step. */
  place: number;
}

/**
 * The kept blocks as columns, at most one each 250 ms, and their prints. Blocks that were missed are read from the history in steps
 * of a few ms; otherwise every call adds the newest block.
 */
export class PriceColumns {
  readonly #marks: Marks;
  #line: History | undefined;
  #marksVersion = -1;
  #series = emptySeries(-1);
  #walk: Walk | undefined;
  #walkedAt = Number.NEGATIVE_INFINITY;

  constructor(marks: Marks) {
    this.#marks = marks;
  }

  get columns(): readonly Column[] {
    return this.#series.columns;
  }

  get dots(): readonly Dot[] {
    return this.#series.dots;
  }

  forget(): void {
    this.#line = undefined;
    this.#series = emptySeries(-1);
    this.#walk = undefined;
    this.#walkedAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Reads on, for a few ms; returns whether there is more to read at once. While the book is held, only what leads to its block is
   * read.
   */
  read(shown: Shown, now: number): boolean {
    const { line } = shown.past;
    const { version } = this.#marks;
    const isEvicted = this.#series.last >= 0 && line.first > this.#series.last;
    if (line !== this.#line || version !== this.#marksVersion || isEvicted) this.forget();
    this.#line = line;
    this.#marksVersion = version;
    const series = this.#series;
    if (line.first < 0) return false;
    if (this.#walk !== undefined) return this.#step(line, this.#walk);
    const wanted = shown.frozen ? (shown.place ?? placeOfMark(line, shown.position) ?? -1) : line.last;
    if (series.last < 0 || wanted > series.last) {
      if (series.last >= 0 && unseenMs(line, series.last) <= UNSEEN_MS) this.#add(series, line);
      else if (now - this.#walkedAt >= WALK_APART_MS) {
        this.#walk = { steps: line.walk(), since: emptySeries(line.last), place: line.first - 1 };
        this.#walkedAt = now;
        return true;
      }
    }
    evict(series, line);
    return false;
  }

  #step(line: History, walk: Walk): boolean {
    const { steps, since } = walk;
    const series = this.#series;
    if (line.last > since.last && line.first <= since.last) this.#add(since, line);
    const end = performance.now() + WALK_STEP_MS;
    do {
      const { value: step, done } = steps.next();
      if (done === true) {
        series.columns.push(...since.columns);
        series.dots.push(...since.dots);
        series.last = since.last;
        this.#walk = undefined;
        return false;
      }
      if (step.kind === 'rewind') continue;
      walk.place += 1;
      if (walk.place <= series.last) continue;
      series.last = walk.place;
      const isAfterGap = step.kind === 'book' && series.columns.length > 0;
      if (step.kind === 'block') series.dots.push(...dotsOf(step.events, step.mark, walk.place));
      if (isAfterGap || isDue(series.columns.at(-1), step.mark.time))
        series.columns.push(columnOf(step.book, step.mark, walk.place, isAfterGap, this.#marks));
    } while (performance.now() < end);
    return true;
  }

  /** Adds the newest block, and the prints since the last one. */
  #add(series: Series, line: History): void {
    const mark = line.markAt(line.last);
    const isAfterGap = line.gaps.some(({ place }) => place > series.last);
    for (let place = Math.max(series.last + 1, line.first); place <= line.last; place += 1)
      series.dots.push(...dotsOf(line.blockAt(place)?.events() ?? [], line.markAt(place), place));
    if (isAfterGap || isDue(series.columns.at(-1), mark.time))
      series.columns.push(columnOf(line.newestBook(), mark, line.last, isAfterGap, this.#marks));
    series.last = line.last;
  }
}

/** Reads the levels nearest to the mid. */
function columnOf(book: L4Book, { height, time }: BlockMark, place: number, isAfterGap: boolean, marks: Marks): Column {
  const [bidCursor, askCursor] = [book.cursor('B'), book.cursor('A')];
  const pxScale = Math.max(bidCursor.pxScale, askCursor.pxScale);
  const szScale = Math.max(bidCursor.szScale, askCursor.szScale);
  const own: OwnOrder[] = [];
  let count = 0;
  const read = (cursor: typeof bidCursor) => {
    const end = count + LEVELS_MAX;
    const [pxFactor, szFactor] = [10 ** (pxScale - cursor.pxScale), 10 ** (szScale - cursor.szScale)];
    while (count < end && cursor.nextLevel()) {
      const px = Number(cursor.px) * pxFactor;
      levels.px[count] = px;
      levels.sz[count] = Number(cursor.levelSz) * szFactor;
      count += 1;
      while (marks.isWatching && cursor.nextOrder()) {
        const mark = marks.watched(cursor.user);
        if (mark > 0) own.push({ px, sz: Number(cursor.sz) * szFactor, mark });
      }
    }
  };
  read(bidCursor);
  const bids = count;
  read(askCursor);
  const px = levels.px.slice(0, count);
  const [bid, ask] = [bids > 0 ? px[0] : undefined, px[bids]];
  return {
    place,
    height,
    time,
    isAfterGap,
    pxScale,
    szScale,
    bids,
    px,
    sz: levels.sz.slice(0, count),
    doubleMid: bid === undefined || ask === undefined ? undefined : bid + ask,
    own: own.length === 0 ? NO_ORDERS : own,
  };
}

/** Block time since a place that no column is of. */
function unseenMs(line: History, last: number): number {
  // Where blocks come less often, nothing is between them.
  return line.last - last <= 2 ? 0 : line.markAt(line.last).time - line.markAt(last).time;
}

function evict({ columns, dots }: Series, { first }: History): void {
  const surplus = (all: readonly { readonly place: number }[], max: number) => {
    const kept = all.findIndex(({ place }) => place >= first);
    return Math.max(kept === -1 ? all.length : kept, all.length - max);
  };
  columns.splice(0, surplus(columns, COLUMNS_MAX));
  dots.splice(0, surplus(dots, PRINTS_MAX));
}

function isDue(before: Column | undefined, time: number): boolean {
  return before === undefined || time - before.time >= COLUMN_MS;
}

function dotsOf(events: readonly FlowEvent[], { time }: BlockMark, place: number): readonly Dot[] {
  return printsOf(events).map(({ px, sz, side }) => ({
    place,
    time,
    px: Number(px),
    sz: Number(sz),
    isBuy: side === 'buy',
  }));
}
