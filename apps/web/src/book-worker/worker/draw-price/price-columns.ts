import type { L4Book, OrderCursor } from '@l4desk/book';
import { type BlockMark, type FlowEvent, type History, placeOfMark, printsOf, type WalkStep } from '@l4desk/insight';
import type { Address } from '@l4desk/protocol';
import type { Marks } from '../marks.ts';
import type { Shown } from '../shown.ts';

/** Shortest block time between two columns, except that the newest one is always of the newest block that was read. */
export const COLUMN_MS = 250;

/** Levels of a side that a column holds, from the best price outward. */
export const LEVELS_MAX = 64;

/** Half an hour at four a second: longer than the history that a book can be shown from, and cheaper by far. */
const COLUMNS_MAX = 7_200;

export const PRINTS_MAX = 20_000;

/** After more unseen block time than this, the missed blocks are read from the history. */
const UNSEEN_MS = 1_000;

/** Shortest time between two such readings. */
const WALK_APART_MS = 3_000;

/** How long a step of such a reading may delay the ladder. */
const WALK_STEP_MS = 3;

/** Whole numbers, in four bytes each unless one of them is too large. */
type Wholes = Uint32Array | Float64Array;

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
  readonly px: Wholes;
  readonly sz: Wholes;
  /** The wallet that rests with the most size at each level, by its number; 0 if a snapshot names none. Its size there. */
  readonly owner: Wholes;
  readonly ownerSz: Wholes;
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

const FIELDS = ['px', 'sz', 'owner', 'ownerSz'] as const;

/** What is read of the levels, before it is copied into a column. */
const read = {
  px: new Float64Array(2 * LEVELS_MAX),
  sz: new Float64Array(2 * LEVELS_MAX),
  owner: new Float64Array(2 * LEVELS_MAX),
  ownerSz: new Float64Array(2 * LEVELS_MAX),
} satisfies Record<(typeof FIELDS)[number], Float64Array>;

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
  readonly first: number;
  readonly newest: number;
  /** The place of the last step. */
  place: number;
}

/** Owners by numbers from 1: a garbage collection need not visit the columns for them. */
class Owners {
  readonly #texts: Address[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(owner: Address): number {
    const known = this.#numbers.get(owner);
    if (known !== undefined) return known;
    const number = this.#texts.push(owner);
    this.#numbers.set(owner, number);
    return number;
  }

  of(number: number): Address | undefined {
    return this.#texts[number - 1];
  }
}

/**
 * The last half an hour as columns, at most one each 250 ms and one of the newest block, and its prints. Blocks that were missed
 * are read from the history, as far back as it reaches, in steps of a few ms; otherwise every call adds the newest block.
 */
export class PriceColumns {
  readonly #marks: Marks;
  #line: History | undefined;
  #marksVersion = -1;
  #series = emptySeries(-1);
  #owners = new Owners();
  #walk: Walk | undefined;
  #walkedAt = Number.NEGATIVE_INFINITY;
  #droppedAt = Number.NEGATIVE_INFINITY;

  constructor(marks: Marks) {
    this.#marks = marks;
  }

  /** Oldest first. */
  get columns(): readonly Column[] {
    return this.#series.columns;
  }

  get dots(): readonly Dot[] {
    return this.#series.dots;
  }

  /** Block time of the newest print that was dropped because there were too many. */
  get droppedAt(): number {
    return this.#droppedAt;
  }

  /** The owner with this number in the columns. */
  ownerOf(number: number): Address | undefined {
    return this.#owners.of(number);
  }

  forget(): void {
    this.#line = undefined;
    this.#series = emptySeries(-1);
    this.#owners = new Owners();
    this.#walk = undefined;
    this.#walkedAt = Number.NEGATIVE_INFINITY;
    this.#droppedAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Reads on, for a few ms; returns after how many ms there is more to read, undefined if there is none. While the book is held, only
   * what leads to its block is read.
   */
  read(shown: Shown, now: number): number | undefined {
    const { line } = shown.past;
    if (line !== this.#line) this.forget();
    this.#line = line;
    if (line.first < 0) return undefined;
    this.#rereadMarks(line);
    if (this.#walk !== undefined) return this.#step(line, this.#walk);
    const series = this.#series;
    const wanted = shown.frozen ? (shown.place ?? placeOfMark(line, shown.position) ?? -1) : line.last;
    if (series.last < 0 || wanted > series.last) {
      if (series.last >= line.first && unseenMs(line, series.last) <= UNSEEN_MS) this.#add(series, line);
      else {
        const wait = this.#walkedAt + WALK_APART_MS - now;
        if (wait > 0) return wait;
        const { first } = line;
        const newest = line.last;
        this.#walk = { steps: line.walk(), since: emptySeries(newest), first, newest, place: first - 1 };
        this.#walkedAt = now;
        return this.#step(line, this.#walk);
      }
    }
    series.columns.splice(0, series.columns.length - COLUMNS_MAX);
    const dropped = series.dots.splice(0, series.dots.length - PRINTS_MAX);
    this.#droppedAt = dropped.at(-1)?.time ?? this.#droppedAt;
    return undefined;
  }

  /** After another choice of watched wallets, reads again what is kept; in what is older, their orders are not known. */
  #rereadMarks({ first }: History): void {
    const { version } = this.#marks;
    if (version === this.#marksVersion) return;
    this.#marksVersion = version;
    const isOlder = ({ place }: { readonly place: number }) => place < first;
    const columns = this.#series.columns.filter(isOlder).map((column) => ({ ...column, own: NO_ORDERS }));
    const dots = this.#series.dots.filter(isOlder);
    this.#series = { columns, dots, last: Math.min(this.#series.last, first - 1) };
    this.#walk = undefined;
    this.#walkedAt = Number.NEGATIVE_INFINITY;
  }

  #step(line: History, walk: Walk): number | undefined {
    const { steps, since } = walk;
    const series = this.#series;
    if (line.last > since.last && line.first <= since.last) this.#add(since, line);
    const end = performance.now() + WALK_STEP_MS;
    do {
      const { value: step, done } = steps.next();
      if (done === true) {
        for (const column of since.columns) addColumn(series, column);
        series.dots.push(...since.dots);
        series.last = since.last;
        this.#walk = undefined;
        return undefined;
      }
      if (step.kind === 'rewind') continue;
      walk.place += 1;
      if (walk.place <= series.last) continue;
      // What is kept may follow on what was read of it before.
      const follows = walk.place === walk.first && series.last === walk.place - 1;
      const isAfterGap = step.kind === 'book' && series.columns.length > 0 && !follows;
      series.last = walk.place;
      if (step.kind === 'block') series.dots.push(...dotsOf(step.events, step.mark, walk.place));
      if (isAfterGap || isDue(series, step.mark.time) || walk.place === walk.newest)
        addColumn(series, this.#columnOf(step.book, step.mark, walk.place, isAfterGap));
    } while (performance.now() < end);
    return 0;
  }

  /** Adds the newest block, and the prints since the last one. */
  #add(series: Series, line: History): void {
    const mark = line.markAt(line.last);
    const isAfterGap = line.gaps.some(({ place }) => place > series.last);
    for (let place = Math.max(series.last + 1, line.first); place <= line.last; place += 1)
      series.dots.push(...dotsOf(line.blockAt(place)?.events() ?? [], line.markAt(place), place));
    addColumn(series, this.#columnOf(line.newestBook(), mark, line.last, isAfterGap));
    series.last = line.last;
  }

  /** Reads the levels nearest to the mid. */
  #columnOf(book: L4Book, { height, time }: BlockMark, place: number, isAfterGap: boolean): Column {
    const [bidCursor, askCursor] = [book.cursor('B'), book.cursor('A')];
    const pxScale = Math.max(bidCursor.pxScale, askCursor.pxScale);
    const szScale = Math.max(bidCursor.szScale, askCursor.szScale);
    const own: OwnOrder[] = [];
    const bids = this.#readLevels(bidCursor, 0, { pxScale, szScale }, own);
    const count = this.#readLevels(askCursor, bids, { pxScale, szScale }, own);
    const [bid, ask] = [bids > 0 ? read.px[0] : undefined, count > bids ? read.px[bids] : undefined];
    const before = this.#series.columns.at(-1)?.own ?? NO_ORDERS;
    return {
      place,
      height,
      time,
      isAfterGap,
      pxScale,
      szScale,
      bids,
      ...wholesOf(count),
      doubleMid: bid === undefined || ask === undefined ? undefined : bid + ask,
      own: isSame(before, own) ? before : own,
    };
  }

  /** Reads a side's levels from index `from` on; returns the index after them. */
  #readLevels(
    cursor: OrderCursor,
    from: number,
    { pxScale, szScale }: Pick<Column, 'pxScale' | 'szScale'>,
    own: OwnOrder[],
  ): number {
    const marks = this.#marks;
    const [pxFactor, szFactor] = [10 ** (pxScale - cursor.pxScale), 10 ** (szScale - cursor.szScale)];
    const sizes = new Map<Address, number>();
    let at = from;
    for (; at < from + LEVELS_MAX && cursor.nextLevel(); at += 1) {
      const px = Number(cursor.px) * pxFactor;
      sizes.clear();
      let owner: Address | undefined;
      let most = 0;
      while (cursor.nextOrder()) {
        const { user } = cursor;
        if (user === null) continue;
        const orderSz = Number(cursor.sz) * szFactor;
        const sz = (sizes.get(user) ?? 0) + orderSz;
        sizes.set(user, sz);
        if (sz > most) {
          most = sz;
          owner = user;
        }
        const mark = marks.isWatching ? marks.watched(user) : 0;
        if (mark > 0) own.push({ px, sz: orderSz, mark });
      }
      read.px[at] = px;
      read.sz[at] = Number(cursor.levelSz) * szFactor;
      read.owner[at] = owner === undefined ? 0 : this.#owners.numberOf(owner);
      read.ownerSz[at] = most;
    }
    return at;
  }
}

/** Copies what was read of this many levels into one buffer. */
function wholesOf(count: number): Pick<Column, (typeof FIELDS)[number]> {
  const isSmall = FIELDS.every((field) => read[field].subarray(0, count).every((value) => value <= 0xff_ff_ff_ff));
  const all = isSmall ? new Uint32Array(FIELDS.length * count) : new Float64Array(FIELDS.length * count);
  const [px, sz, owner, ownerSz] = FIELDS.map((field, index) => {
    all.set(read[field].subarray(0, count), index * count);
    return all.subarray(index * count, (index + 1) * count);
  }) as [Wholes, Wholes, Wholes, Wholes];
  return { px, sz, owner, ownerSz };
}

/** Most columns have the orders of the one before, and share them. */
function isSame(before: readonly OwnOrder[], own: readonly OwnOrder[]): boolean {
  return (
    before.length === own.length &&
    own.every(({ px, sz, mark }, at) => before[at]?.px === px && before[at]?.sz === sz && before[at]?.mark === mark)
  );
}

/** Block time since a place that no column is of. */
function unseenMs(line: History, last: number): number {
  // Where blocks come less often, nothing is between them.
  return line.last - last <= 2 ? 0 : line.markAt(line.last).time - line.markAt(last).time;
}

function isDue({ columns }: Series, time: number, at = -1): boolean {
  return time - (columns.at(at)?.time ?? Number.NEGATIVE_INFINITY) >= COLUMN_MS;
}

/** The newest column makes way for the next one if it came too early to stay. */
function addColumn(series: Series, column: Column): void {
  const newest = series.columns.at(-1);
  if (newest !== undefined && !newest.isAfterGap && !column.isAfterGap && !isDue(series, newest.time, -2))
    series.columns.pop();
  series.columns.push(column);
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
