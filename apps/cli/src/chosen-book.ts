import type { L4Book } from '@l4desk/book';

/** The position of a book in the stream; these are the first fields of all output. */
export interface Position {
  readonly coin: string;
  readonly height: number;
  readonly epoch: string;
  readonly seq: number;
}

/** The book that a command works on. */
export interface ChosenBook {
  readonly position: Position;
  readonly book: L4Book;
  /** The decimals of the coin's sizes: those of the service's list of coins, or the most that a recorded size had. */
  readonly szDecimals: () => Promise<number>;
  /** Whether a lot has exactly that many decimals; a recording does not contain the lot. */
  readonly isLotKnown: boolean;
}
