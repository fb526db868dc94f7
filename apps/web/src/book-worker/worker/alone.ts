import type { L4Book, Units } from '@l4desk/book';
import { formatUnits } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { FrameSide } from '../frame/pack-frame.ts';
import type { TickGrid } from '../prices.ts';
import { type WalletRow, walletRows } from './wallet-rows.ts';

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
  const { side, grid, wallet, highest, lowest, lane, notional, mark } = query;
  const { szScale, pxScale } = book.cursor(side);
  const last = side === 'A' ? highest : lowest;
  const own = walletRows(book, { side, grid, wallet, last, lane });
  const rows = own.filter(({ index }) => index <= highest && index >= lowest);
  const at = (row: number) => rows[row] as WalletRow;
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
        case 'came':
        case 'withdrawn':
        case 'own':
          return '';
      }
    },
  };
}

/** For drawing only. */
function drawn(text: DecimalString): number {
  return Number(text);
}
