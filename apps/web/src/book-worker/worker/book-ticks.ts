import type { L4Book } from '@l4desk/book';
import { compare } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { ticksOf } from './ladder-view.ts';

/** A book with no more levels than this is looked at again for finer prices with each block. */
const LEVELS_OF_A_THIN_BOOK = 100;

/** The ticks that the live book can be grouped by, finest first. */
export class BookTicks {
  #ticks: readonly DecimalString[] = [];

  get all(): readonly DecimalString[] {
    return this.#ticks;
  }

  forget(): void {
    this.#ticks = [];
  }

  /** A whole new book stands. */
  learn(book: L4Book): void {
    this.#ticks = ticksOf(book);
  }

  /**
   * A book with few levels tells little of how fine its prices are, and an empty one nothing: its ticks are learned as it
   * fills, and only become finer, so that the one that is shown stays on offer.
   */
  refine(book: L4Book): void {
    if (book.levelCount('B') + book.levelCount('A') > LEVELS_OF_A_THIN_BOOK) return;
    const ticks = ticksOf(book);
    const [known] = this.#ticks;
    const [finest] = ticks;
    if (finest !== undefined && (known === undefined || compare(finest, known) < 0)) this.#ticks = ticks;
  }
}
