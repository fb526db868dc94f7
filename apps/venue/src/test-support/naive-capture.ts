import { parseUnits } from '@l4desk/decimal';
import { DIFFS, SNAPSHOT, STATUSES } from './write-capture.ts';

interface NaiveOrder {
  readonly user: string;
  readonly oid: number;
  readonly px: number;
  readonly limitPx: string;
  sz: string;
}

interface NodeOrderText {
  readonly oid: number;
  readonly side: 'B' | 'A';
  readonly limitPx: string;
  readonly sz: string;
}

interface DiffText {
  readonly user: string;
  readonly oid: number;
  readonly coin: string;
  readonly side?: 'B' | 'A';
  readonly px: string;
  readonly raw_book_diff:
    | 'remove'
    | {
        readonly new?: { readonly sz: string; readonly insertBefore?: number };
        readonly update?: { readonly newSz: string };
      };
}

interface LineText<E> {
  readonly block_number: number;
  readonly events: readonly E[];
}

type SnapshotText = readonly [
  number,
  readonly (readonly [string, readonly (readonly (readonly [string, NodeOrderText])[])[]])[],
];

/** The fields of an order that two readings of a capture are compared by. */
export type NaiveRow = readonly [user: string, oid: number, limitPx: string, sz: string];

/**
 * Plays the texts of a capture to their end in the simplest possible way, with one list per side, and returns the book of
 * each coin. It shares no code with the reader that it is compared with, checks almost nothing, and throws if it cannot
 * continue.
 */
export function playNaively(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly (readonly NaiveRow[])[]> {
  const [height, coins] = JSON.parse(files.get(SNAPSHOT) ?? '') as SnapshotText;
  const books = new Map(coins.map(([coin]) => [coin, { B: [] as NaiveOrder[], A: [] as NaiveOrder[] }]));
  for (const [coin, sides] of coins) {
    for (const [user, { oid, side, limitPx, sz }] of sides.flat()) {
      insert(books.get(coin)?.[side] ?? [], { user, oid, px: units(limitPx), limitPx, sz }, side, undefined);
    }
  }
  const sides = new Map(
    linesOf<{ readonly order: NodeOrderText }>(files.get(STATUSES)).flatMap(({ events }) =>
      events.map(({ order }) => [order.oid, order.side] as const),
    ),
  );
  const blocks = linesOf<DiffText>(files.get(DIFFS)).filter((line) => line.block_number > height);
  for (const { events } of blocks.sort((a, b) => a.block_number - b.block_number)) {
    for (const { user, oid, coin, side, px, raw_book_diff: raw } of events) {
      const book = books.get(coin);
      if (book === undefined) continue;
      if (raw !== 'remove' && raw.new !== undefined) {
        const on = side ?? sides.get(oid) ?? 'B';
        const { sz, insertBefore } = raw.new;
        insert(book[on], { user, oid, px: units(px), limitPx: px, sz }, on, insertBefore);
        continue;
      }
      const list = book.B.some((order) => order.oid === oid) ? book.B : book.A;
      const at = list.findIndex((order) => order.oid === oid);
      const order = list[at];
      if (order === undefined) throw new Error(`no order ${oid}`);
      if (order.px !== units(px)) throw new Error(`order ${oid} is not at ${px}`);
      if (raw === 'remove') list.splice(at, 1);
      else order.sz = raw.update?.newSz ?? '';
    }
  }
  const rows = (orders: readonly NaiveOrder[]) =>
    orders.map(({ user, oid, limitPx, sz }): NaiveRow => [user, oid, limitPx, sz]);
  return new Map([...books].map(([coin, { B, A }]) => [coin, [rows(B), rows(A)]]));
}

function insert(list: NaiveOrder[], order: NaiveOrder, side: 'B' | 'A', before: number | undefined): void {
  const at =
    before === undefined
      ? list.findIndex(({ px }) => (side === 'B' ? px < order.px : px > order.px))
      : list.findIndex(({ oid }) => oid === before);
  list.splice(at < 0 ? list.length : at, 0, order);
}

function linesOf<E>(text = ''): LineText<E>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LineText<E>);
}

function units(px: string): number {
  const value = parseUnits(px, 8);
  if (value === undefined) throw new Error(`${px} is no price`);
  return value;
}
