import type { L4Book, Units } from '@l4desk/book';
import { formatUnits } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { FrameSide } from '../frame/pack-frame.ts';
import { indexHolding, type TickGrid } from '../prices.ts';

/** One wallet's orders in a row; the `cum` sums include its better rows. */
interface AloneRow {
  readonly index: number;
  /** Sizes of its first orders, from the front of the queue. */
  readonly lane: Units[];
  orders: number;
  sz: bigint;
  notional: bigint;
  cumSz: bigint;
  cumNotional: bigint;
}

export interface AloneQuery {
  readonly side: Side;
  readonly grid: TickGrid;
  readonly wallet: Address;
  /** Visible rows, as indices of the grid. */
  readonly highest: number;
  readonly lowest: number;
  /** Most orders in a row's lane. */
  readonly lane: number;
  readonly notional: 'none' | 'row' | 'cumulative';
  /** The wallet's mark in the lanes. */
  readonly mark: number;
}

/** Returns the rows of a side in which one wallet rests, counting only its orders: exact sizes, counts and sums. */
export function aloneSide(book: L4Book, query: AloneQuery): FrameSide {
  const { highest, lowest, notional, mark } = query;
  const { szScale, pxScale } = book.cursor(query.side);
  const rows = rowsOf(book, query).filter(({ index }) => index <= highest && index >= lowest);
  const at = (row: number) => rows[row] as AloneRow;
  const size = (sz: Units) => formatUnits(sz, szScale);
  const amount = (units: bigint) => formatUnits(units, szScale + pxScale);
  return {
    length: rows.length,
    index: (row) => at(row).index,
    size: (row) => drawn(size(at(row).sz)),
    cumulative: (row) => drawn(size(at(row).cumSz)),
    count: (row) => at(row).orders,
    laneLength: (row) => at(row).lane.length,
    laneSize: (row, place) => drawn(size(at(row).lane[place] ?? 0)),
    laneMark: () => mark,
    text: (row, name) => {
      switch (name) {
        case 'size':
          return size(at(row).sz);
        case 'cumulative':
          return size(at(row).cumSz);
        case 'notional':
          if (notional === 'none') return '';
          return amount(notional === 'row' ? at(row).notional : at(row).cumNotional);
        case 'flow':
        case 'own':
          return '';
      }
    },
  };
}

/** From the best price outward, to the last visible row. */
function rowsOf(book: L4Book, { side, grid, wallet, highest, lowest, lane }: AloneQuery): readonly AloneRow[] {
  const rows: AloneRow[] = [];
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
      // The row is computed once per level, at the first order, because any level may be the last visible one.
      index ??= indexHolding(grid, side, cursor.pxText);
      if (index === undefined) break;
      if (side === 'A' ? index > highest : index < lowest) return rows;
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

/** For drawing only. */
function drawn(text: DecimalString): number {
  return Number(text);
}
