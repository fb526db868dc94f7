import type { L4Book } from '@l4desk/book';
import { compare, formatUnits, significantDecimalsOf, tickSteps } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';

/** How many ticks are offered, finest first. */
const TICKS_OFFERED = 10;

/** Levels per side that are sampled for how fine the book's prices are. */
const LEVELS_SAMPLED = 50;

/** A book with at most this many levels is checked again for finer prices with each block. */
const LEVELS_OF_A_THIN_BOOK = 100;

export class BookTicks {
  #ticks: readonly DecimalString[] = [];

  get all(): readonly DecimalString[] {
    return this.#ticks;
  }

  forget(): void {
    this.#ticks = [];
  }

  learn(book: L4Book): void {
    this.#ticks = ticksOf(book);
  }

  /**
   * A book with few levels says little about how fine its prices are, and an empty one nothing: its ticks are updated as it
   * fills. They only become finer, so that the shown tick stays on offer.
   */
  refine(book: L4Book): void {
    if (book.levelCount('B') + book.levelCount('A') > LEVELS_OF_A_THIN_BOOK) return;
    const ticks = ticksOf(book);
    const [known] = this.#ticks;
    const [finest] = ticks;
    if (finest !== undefined && (known === undefined || compare(finest, known) < 0)) this.#ticks = ticks;
  }
}

/**
 * The ticks by which a book can be grouped: 1, 2 and 5 times powers of ten, starting at the finest step of its prices near the
 * touch. Prices have at most five significant figures; whole numbers are always allowed.
 */
export function ticksOf(book: L4Book): readonly DecimalString[] {
  const px = (book.best('B') ?? book.best('A'))?.px;
  if (px === undefined) return [];
  let printed = 0;
  for (const side of ['B', 'A'] as const) {
    for (const row of book.rows(side, { limit: LEVELS_SAMPLED })) {
      printed = Math.max(printed, significantDecimalsOf(row.px));
    }
  }
  const decimals = Math.min(printed, Math.max(0, 4 - magnitude(px)));
  return tickSteps(formatUnits(1, decimals), TICKS_OFFERED);
}

/** The power of ten of the first digit that is not zero: 4 for `81307.0`, -3 for `0.0012`. */
function magnitude(px: DecimalString): number {
  const [whole = '0', fraction = ''] = px.split('.');
  if (whole !== '0') return whole.length - 1;
  const first = fraction.search(/[1-9]/);
  return first < 0 ? 0 : -1 - first;
}
