import type { L4Book, Units } from '@l4desk/book';
import type { Address, Side } from '@l4desk/protocol';
import { indexHolding, type TickGrid } from '../prices.ts';

/** One wallet's orders in a row; the `cum` sums include its better rows. Sizes and notionals are in units of the side's scales. */
export interface WalletRow {
  readonly index: number;
  /** Sizes of its first orders, from the front of the queue. */
  readonly lane: Units[];
  orders: number;
  sz: bigint;
  notional: bigint;
  cumSz: bigint;
  cumNotional: bigint;
}

export interface WalletRowsQuery {
  readonly side: Side;
  readonly grid: TickGrid;
  readonly wallet: Address;
  /** Index of the last row. */
  readonly last: number;
  /** Most orders in a row's lane. */
  readonly lane: number;
}

/** Returns the rows of a side in which a wallet rests, from the best price outward to the last one, with exact sums. */
export function walletRows(book: L4Book, { side, grid, wallet, last, lane }: WalletRowsQuery): readonly WalletRow[] {
  const rows: WalletRow[] = [];
  const cursor = book.cursor(side);
  /** By the owner's spelling in the book. */
  const isOwn = new Map<string | null, boolean>();
  let cumSz = 0n;
  let cumNotional = 0n;
  while (cursor.nextLevel()) {
    let index: number | undefined;
    while (cursor.nextOrder()) {
      const { user } = cursor;
      let own = isOwn.get(user);
      if (own === undefined) {
        own = user?.toLowerCase() === wallet;
        isOwn.set(user, own);
      }
      // The row is computed once per level, at the first order, because any level may be past the last row.
      index ??= indexHolding(grid, side, cursor.pxText);
      if (index === undefined) break;
      if (isBeyond(side, index, last)) return rows;
      if (!own) continue;
      const sz = BigInt(cursor.sz);
      const notional = BigInt(cursor.px) * sz;
      cumSz += sz;
      cumNotional += notional;
      let row = rows.at(-1);
      if (row?.index !== index) {
        row = { index, lane: [], orders: 0, sz: 0n, notional: 0n, cumSz, cumNotional };
        rows.push(row);
      }
      row.orders += 1;
      row.sz += sz;
      row.notional += notional;
      row.cumSz = cumSz;
      row.cumNotional = cumNotional;
      if (row.lane.length < lane) row.lane.push(cursor.sz);
    }
  }
  return rows;
}

/** Whether a row of the side is further from the best price than another one. */
export function isBeyond(side: Side, index: number, other: number): boolean {
  return side === 'A' ? index > other : index < other;
}
