import { SpecBook, type SpecDiff } from '@l4desk/testkit';
import { DIFFS, SNAPSHOT, STATUSES } from './write-capture.ts';

interface NodeOrderText {
  readonly oid: number;
  readonly side: 'B' | 'A';
  readonly limitPx: string;
  readonly sz: string;
}

interface LineText<E> {
  readonly block_number: number;
  readonly events: readonly E[];
}

type SideText = readonly (readonly [user: string, order: NodeOrderText])[];
type SnapshotText = readonly [height: number, coins: readonly (readonly [string, readonly [SideText, SideText]])[]];

/** The fields of an order that two readings of a capture are compared by. */
export type NaiveRow = readonly [user: string, oid: number, limitPx: string, sz: string];

/**
 * Plays the texts of a capture to their end in the simplest possible way, and returns the book of each coin. It shares no code
 * with the reader that it is compared with, and throws if a change does not match the book.
 */
export function playNaively(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly (readonly NaiveRow[])[]> {
  const [height, coins] = JSON.parse(files.get(SNAPSHOT) ?? '') as SnapshotText;
  const sides = new Map<number, 'B' | 'A'>();
  const books = new Map<string, SpecBook>();
  for (const [coin, [bids, asks]] of coins) {
    const book = new SpecBook((problem) => {
      throw new Error(problem);
    });
    const listed = (side: SideText) => side.map(([user, order]) => ({ ...order, user }));
    book.fill([listed(bids), listed(asks)]);
    books.set(coin, book);
    for (const [, { oid, side }] of [...bids, ...asks]) sides.set(oid, side);
  }
  for (const { events } of linesOf<{ readonly order: NodeOrderText }>(files.get(STATUSES)))
    for (const { order } of events) sides.set(order.oid, order.side);
  const blocks = linesOf<SpecDiff & { readonly coin: string }>(files.get(DIFFS))
    .filter((line) => line.block_number > height)
    .sort((a, b) => a.block_number - b.block_number);
  for (const diff of blocks.flatMap(({ events }) => events))
    books.get(diff.coin)?.apply([{ ...diff, side: diff.side ?? sides.get(diff.oid) ?? 'B' }]);
  const rows = (book: SpecBook, side: 'B' | 'A') =>
    book.side(side).map(({ user, oid, px, sz }): NaiveRow => [user, oid, px, sz]);
  return new Map([...books].map(([coin, book]) => [coin, [rows(book, 'B'), rows(book, 'A')]]));
}

function linesOf<E>(text = ''): readonly LineText<E>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LineText<E>);
}
