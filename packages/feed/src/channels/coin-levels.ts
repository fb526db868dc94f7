import type { L4Book, OrderCursor, Units } from '@l4desk/book';
import { parseBigUnits, parseUnits } from '@l4desk/decimal';
import type { BookChange, Side } from '@l4desk/protocol';
import { LevelTexts } from './level-texts.ts';
import { type Grouping, groupOf, type Scales } from './levels.ts';

interface Sides {
  readonly grouping: Grouping;
  readonly B: LevelTexts;
  readonly A: LevelTexts;
}

const UNGROUPED: Grouping = { nSigFigs: null, mantissa: null };

const BOTH = ['B', 'A'] as const;

/**
 * The levels of one coin's book, and of each requested grouping. After a block only the levels that it touched are read again,
 * and each grouping is updated by their difference.
 */
export class CoinLevels {
  readonly #book: L4Book;
  #scales: Scales;
  /** Whether the book's numbers are bigints. */
  #isExact: boolean;
  #levels: Sides;
  /** Keyed by `keyOf`. */
  readonly #groups = new Map<string, Sides>();

  constructor(book: L4Book) {
    this.#book = book;
    const { pxScale, szScale } = book.cursor('B');
    this.#scales = { pxScale, szScale };
    this.#isExact = countsInBigint(book);
    this.#levels = this.#readLevels();
  }

  /** Whether these are the levels of this book. */
  isOf(book: L4Book): boolean {
    return this.#book === book;
  }

  /** Updates the levels after a block was applied to the book; `changes` are those of the block. */
  follow(changes: readonly BookChange[]): void {
    const cursors = { B: this.#book.cursor('B'), A: this.#book.cursor('A') };
    const { pxScale, szScale } = cursors.B;
    const isExact = countsInBigint(this.#book);
    const isSame = pxScale === this.#scales.pxScale && szScale === this.#scales.szScale && isExact === this.#isExact;
    if (isSame && this.#readTouched(cursors, changes)) return;
    // A finer decimal arrived, so every amount is now in other units.
    this.#scales = { pxScale, szScale };
    this.#isExact = isExact;
    this.#levels = this.#readLevels();
    for (const [key, { grouping }] of this.#groups) this.#groups.set(key, this.#grouped(grouping));
  }

  /** The best levels of a side as the exchange's `l2Book` lists them: JSON without brackets. */
  json(side: Side, grouping: Grouping, limit: number): string {
    return this.#sidesOf(grouping)[side].json(limit);
  }

  /** Drops all groupings that are not among these. */
  keep(groupings: readonly Grouping[]): void {
    const kept = new Set(groupings.map(keyOf));
    for (const key of this.#groups.keys()) if (!kept.has(key)) this.#groups.delete(key);
  }

  #sidesOf(grouping: Grouping): Sides {
    if (grouping.nSigFigs === null) return this.#levels;
    const key = keyOf(grouping);
    let sides = this.#groups.get(key);
    if (sides === undefined) {
      sides = this.#grouped(grouping);
      this.#groups.set(key, sides);
    }
    return sides;
  }

  #grouped(grouping: Grouping): Sides {
    const sides = this.#empty(grouping);
    for (const side of BOTH) {
      this.#levels[side].each((px, gain) => sides[side].add(groupOf(px, side, grouping), gain));
    }
    return sides;
  }

  #empty(grouping: Grouping): Sides {
    return { grouping, B: new LevelTexts('B', this.#scales), A: new LevelTexts('A', this.#scales) };
  }

  #readLevels(): Sides {
    const sides = this.#empty(UNGROUPED);
    for (const side of BOTH) {
      const cursor = this.#book.cursor(side);
      const read: (readonly [Units, Units, number])[] = [];
      while (cursor.nextLevel()) read.push([cursor.px, cursor.levelSz, cursor.levelOrders]);
      // The lists start with the worst level.
      for (const [px, sz, n] of read.toReversed()) sides[side].set(px, sz, n);
    }
    return sides;
  }

  /** Updates the touched levels. Returns false if a price cannot be represented in the current units. */
  #readTouched(cursors: Readonly<Record<Side, OrderCursor>>, changes: readonly BookChange[]): boolean {
    for (const { side, px: text } of changes) {
      const cursor = cursors[side];
      const px = this.#units(text);
      if (px === undefined) return false;
      const rests = cursor.toLevel(px);
      // A level that was touched twice has no difference the second time.
      const gain = this.#levels[side].set(px, rests ? cursor.levelSz : 0, rests ? cursor.levelOrders : 0);
      if (gain === undefined) continue;
      for (const group of this.#groups.values()) group[side].add(groupOf(px, side, group.grouping), gain);
    }
    return true;
  }

  #units(text: string): Units | undefined {
    const { pxScale } = this.#scales;
    return this.#isExact ? parseBigUnits(text, pxScale) : parseUnits(text, pxScale);
  }
}

/** Whether the book's numbers exceed what doubles represent exactly. */
function countsInBigint(book: L4Book): boolean {
  for (const side of BOTH) {
    const cursor = book.cursor(side);
    if (cursor.nextLevel()) return typeof cursor.px === 'bigint';
  }
  return false;
}

function keyOf({ nSigFigs, mantissa }: Grouping): string {
  return `${nSigFigs} ${mantissa}`;
}
