import type { L4Book, Units } from '@l4desk/book';
import { formatUnits } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { LadderRow } from '../ladder-frame.ts';
import type { TickGrid } from '../prices.ts';
import type { Lanes } from './lanes.ts';
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
}

/** Returns the rows of a side in which one wallet rests, counting only its orders: exact sizes, counts and sums. */
export function aloneRows(book: L4Book, query: AloneQuery, lanes: Lanes): readonly LadderRow[] {
  const { side, grid, wallet, highest, lowest, lane, notional } = query;
  const { szScale, pxScale } = book.cursor(side);
  const last = side === 'A' ? highest : lowest;
  const own = walletRows(book, { side, grid, wallet, last, lane });
  const size = (sz: Units) => formatUnits(sz, szScale);
  const amount = (units: bigint) => formatUnits(units, szScale + pxScale);
  const notionalOf = (row: WalletRow) =>
    notional === 'none' ? '' : amount(notional === 'row' ? row.notional : row.cumNotional);
  return own
    .filter(({ index }) => index <= highest && index >= lowest)
    .map((row) => ({
      side,
      index: row.index,
      size: drawn(size(row.sz)),
      cumulative: drawn(size(row.cumSz)),
      count: row.orders,
      sz: size(row.sz),
      cumSz: size(row.cumSz),
      notional: notionalOf(row),
      came: '',
      withdrawn: '',
      own: undefined,
      ...lanes.add(
        row.lane.length,
        (place) => drawn(size(row.lane[place] ?? 0)),
        () => wallet,
      ),
    }));
}

/** For drawing only. */
function drawn(text: DecimalString): number {
  return Number(text);
}
