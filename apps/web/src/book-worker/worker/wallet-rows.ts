import type { L4Book, Units } from '@l4desk/book';
import { formatUnits, subtract } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { LadderRow } from '../ladder-frame.ts';
import { indexHolding, type TickGrid } from '../prices.ts';
import type { Lanes } from './lanes.ts';

/** One wallet's orders in a row; the `cum` sums include its better rows. Sizes and notionals are in units of the side's scales. */
interface WalletRow {
  readonly index: number;
  /** Sizes of its first orders, from the front of the queue. */
  readonly lane: Units[];
  orders: number;
  sz: bigint;
  notional: bigint;
  cumSz: bigint;
  cumNotional: bigint;
}

interface WalletRowsQuery {
  readonly side: Side;
  readonly grid: TickGrid;
  readonly wallet: Address;
  readonly last: number;
  readonly lane: number;
}

/** Returns the rows of a side in which a wallet rests, from the best price outward to the last one, with exact sums. */
function walletRows(book: L4Book, { side, grid, wallet, last, lane }: WalletRowsQuery): readonly WalletRow[] {
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
function isBeyond(side: Side, index: number, other: number): boolean {
  return side === 'A' ? index > other : index < other;
}

/** The wallet's part of a row, and of that row and all better ones. */
type GhostRow = Pick<WalletRow, 'orders' | 'sz' | 'cumSz' | 'notional' | 'cumNotional'>;

const NOTHING: GhostRow = { orders: 0, sz: 0n, cumSz: 0n, notional: 0n, cumNotional: 0n };

/** One wallet's part of a side's rows, exact: to be subtracted from the book's. */
export class Ghost {
  readonly #rows = new Map<number, GhostRow>();
  readonly #szScale: number;
  readonly #pxScale: number;

  /** Reads the side from its best price to the rows at `indices`, which run outward. */
  constructor(book: L4Book, side: Side, grid: TickGrid, indices: readonly number[], wallet: Address) {
    const { szScale, pxScale } = book.cursor(side);
    this.#szScale = szScale;
    this.#pxScale = pxScale;
    const last = indices.at(-1);
    const own = last === undefined ? [] : walletRows(book, { side, grid, wallet, last, lane: 0 });
    for (const index of indices) {
      const row = own.findLast((candidate) => !isBeyond(side, candidate.index, index));
      if (row === undefined) continue;
      const { cumSz, cumNotional } = row;
      this.#rows.set(index, row.index === index ? row : { ...NOTHING, cumSz, cumNotional });
    }
  }

  ordersAt(index: number): number {
    return this.#at(index).orders;
  }

  cumulativeAt(index: number): number {
    return Number(formatUnits(this.#at(index).cumSz, this.#szScale));
  }

  /** Subtracts the wallet's part from an amount of the book's row. */
  less(name: 'sz' | 'cumSz' | 'notional' | 'cumNotional', index: number, amount: DecimalString): DecimalString {
    const scale = name === 'sz' || name === 'cumSz' ? this.#szScale : this.#szScale + this.#pxScale;
    const ghost = this.#at(index)[name];
    return ghost === 0n ? amount : subtract(amount, formatUnits(ghost, scale));
  }

  #at(index: number): GhostRow {
    return this.#rows.get(index) ?? NOTHING;
  }
}

interface AloneQuery {
  readonly side: Side;
  readonly grid: TickGrid;
  readonly wallet: Address;
  readonly highest: number;
  readonly lowest: number;
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

function drawn(text: DecimalString): number {
  return Number(text);
}
