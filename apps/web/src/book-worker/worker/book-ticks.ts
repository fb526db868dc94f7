import type { L4Book } from '@l4desk/book';
import { compare } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { ticksOf } from './ladder-view.ts';

/** A book with at most this many levels is checked again for finer prices with each block. */
const LEVELS_OF_A_THIN_BOOK = 100;

/** The ticks by which the live book can be grouped, finest first. */
export class BookTicks {
  #ticks: readonly DecimalString[] = [];

  get all(): readonly DecimalString[] {
    return this.#ticks;
  }

  forget(): void {
    this.#ticks = [];
  }

  /** A new book was built. */
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
