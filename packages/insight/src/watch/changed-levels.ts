import type { L4Book, Units } from '@l4desk/book';
import { parseBigUnits, parseUnits } from '@l4desk/decimal';
import { type BookChange, SIDES, type Side } from '@l4desk/protocol';
import { narrowed } from '../amounts.ts';

/** A price level of a book, by its price in units of the book (see `levelKey`). */
export interface ChangedLevel {
  readonly side: Side;
  readonly px: Units;
  /** What the block changed there, in block order. */
  readonly changes: readonly BookChange[];
}

/** The price as a key of a map: a number where that is exact, whichever engine the book has. */
export function levelKey(px: Units): Units {
  return typeof px === 'bigint' ? narrowed(px) : px;
}

/** Says which price levels of a book a block changed, for those who keep something about each level. */
export class ChangedLevels {
  private last: { readonly book: L4Book; readonly revision: number; readonly pxScale: number } | undefined;

  /**
   * Takes a block and the book right after it. Returns the levels that the block changed; undefined if any other level may
   * differ too: another book, a missed block, or other units.
   */
  after(changes: readonly BookChange[], book: L4Book): readonly ChangedLevel[] | undefined {
    const { last } = this;
    const { pxScale } = book.cursor('B');
    this.last = { book, revision: book.revision, pxScale };
    const isNext = last?.book === book && last.revision + 1 === book.revision && last.pxScale === pxScale;
    return isNext ? levelsOf(changes, pxScale) : undefined;
  }

  /** Takes a book of which nothing is known yet. */
  begin(book: L4Book): void {
    this.last = { book, revision: book.revision, pxScale: book.cursor('B').pxScale };
  }
}

function levelsOf(changes: readonly BookChange[], pxScale: number): readonly ChangedLevel[] | undefined {
  const levels = { A: new Map<Units, BookChange[]>(), B: new Map<Units, BookChange[]>() };
  for (const change of changes) {
    const px = parseUnits(change.px, pxScale) ?? parseBigUnits(change.px, pxScale);
    if (px === undefined) return undefined;
    const known = levels[change.side].get(levelKey(px));
    if (known === undefined) levels[change.side].set(levelKey(px), [change]);
    else known.push(change);
  }
  return SIDES.flatMap((side) => [...levels[side]].map(([px, changed]) => ({ side, px, changes: changed })));
}
