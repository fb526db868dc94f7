import type { L4Order, Side } from '@l4desk/protocol';
import { SpecBook } from '@l4desk/testkit';
import type { SnapshotData, UpdatesData } from './l4-client.ts';

/** The fields of an order that two books are compared by, in queue order. */
export type BookRow = readonly [oid: number, px: string, sz: string];

/** Follows the venue's stream with a book that shares no code with the venue. Throws if a diff does not match the book. */
export class NaiveFollower {
  height: number;
  readonly #book = new SpecBook((problem) => {
    throw new Error(problem);
  });
  /** The side of each order, because diffs may lack it. */
  readonly #sides = new Map<number, Side>();

  constructor({ height, levels }: SnapshotData) {
    this.height = height;
    this.#book.fill(levels);
    for (const { oid, side } of levels.flat()) this.#sides.set(oid, side);
  }

  get rows(): readonly (readonly BookRow[])[] {
    return (['B', 'A'] as const).map((side) => this.#book.side(side).map(({ oid, px, sz }): BookRow => [oid, px, sz]));
  }

  apply({ height, order_statuses, book_diffs }: UpdatesData): void {
    if (height <= this.height) throw new Error(`block ${height} after ${this.height}`);
    this.height = height;
    for (const { order } of order_statuses) this.#sides.set(order.oid, order.side);
    this.#book.apply(book_diffs.map((diff) => ({ ...diff, side: diff.side ?? this.#sides.get(diff.oid) ?? 'B' })));
    this.#book.checkCrossed();
  }
}

/** A book of `/book/<coin>` or of a snapshot, as rows of a follower. */
export function rowsOf(levels: readonly [readonly L4Order[], readonly L4Order[]]): readonly (readonly BookRow[])[] {
  return levels.map((side) => side.map(({ oid, limitPx, sz }): BookRow => [oid, limitPx, sz]));
}
