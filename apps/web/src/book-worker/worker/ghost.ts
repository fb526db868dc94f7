import type { L4Book } from '@l4desk/book';
import { formatUnits, subtract } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { TickGrid } from '../prices.ts';
import { isBeyond, type WalletRow, walletRows } from './wallet-rows.ts';

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

  /** For drawing only. */
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
