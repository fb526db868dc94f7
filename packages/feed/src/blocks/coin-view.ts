import type { L4Book } from '@l4desk/book';

/** A live coin at one moment (SNAP-6). Reading it never interleaves with the next block: both run on one thread. */
export interface CoinView {
  readonly book: L4Book;
  readonly height: number;
  readonly time: number;
  readonly epoch: string;
  readonly seq: number;
}
