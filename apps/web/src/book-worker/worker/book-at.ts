import { type L4Book, LadderWindow } from '@l4desk/book';
import type { CoinView } from '@l4desk/client';
import type { BestPrices, BookCounts, Position } from '../position.ts';

export interface BookAt {
  readonly book: L4Book;
  readonly position: Position;
  /** For a book of the past: its place among the kept blocks. Several places may have the same position, with a gap between them. */
  readonly place?: number;
}

export interface ShownBook extends BookAt {
  /** Held at a block or reached by time travel: it is not the live one. */
  readonly frozen: boolean;
}

export function positionOf(view: CoinView | undefined): Position | undefined {
  if (view === undefined) return undefined;
  const { height, seq, epoch, blockTime } = view;
  if (height === undefined || seq === undefined || epoch === undefined || blockTime === undefined) return undefined;
  return { height, seq, epoch, blockTime };
}

export function bookAt(view: CoinView | undefined): BookAt | undefined {
  const position = positionOf(view);
  return view?.book !== undefined && position !== undefined ? { book: view.book, position } : undefined;
}

export function bestOf(book: L4Book | undefined): BestPrices {
  return { bid: book?.best('B')?.px, ask: book?.best('A')?.px };
}

export function countsOf(book: L4Book): BookCounts {
  return {
    bids: book.orderCountOf('B'),
    asks: book.orderCountOf('A'),
    levels: book.levelCount('B') + book.levelCount('A'),
  };
}

const probe = new LadderWindow(1, 1);

/** Decimals of the finest size in the book. */
export function sizeDecimalsOf(book: L4Book): number {
  book.fill(probe, 'B', {});
  return probe.szScale;
}
