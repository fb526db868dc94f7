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
  /** Decimals of the coin's sizes, from the service's coin list or from the recording. */
  readonly szDecimals: () => Promise<number>;
}
