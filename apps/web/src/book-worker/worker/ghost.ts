import type { L4Book } from '@l4desk/book';
import { formatUnits, subtract } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { indexHolding, type TickGrid } from '../prices.ts';

/** One wallet's part of a row, and of that row and all better ones. */
interface GhostRow {
  readonly orders: number;
  readonly sz: bigint;
  readonly cumSz: bigint;
  readonly notional: bigint;
  readonly cumNotional: bigint;
}

const NOTHING: GhostRow = { orders: 0, sz: 0n, cumSz: 0n, notional: 0n, cumNotional: 0n };

/** One wallet's part of a side's rows, exact: to be subtracted from the book's. */
export class Ghost {
  readonly #rows: ReadonlyMap<number, GhostRow>;
  readonly #szScale: number;
  readonly #pxScale: number;

  /** Reads the side from its best price to the rows at `indices`, which run outward. */
  constructor(book: L4Book, side: Side, grid: TickGrid, indices: readonly number[], wallet: Address) {
    const rows = new Map<number, GhostRow>();
    const cursor = book.cursor(side);
    this.#szScale = cursor.szScale;
    this.#pxScale = cursor.pxScale;
    const last = indices.at(-1);
    let now = NOTHING;
    let index: number | undefined;
    const isBeyond = (at: number) => last === undefined || (side === 'A' ? at > last : at < last);
    while (cursor.nextLevel()) {
      const px = BigInt(cursor.px);
      let isFirst = true;
      while (cursor.nextOrder()) {
        if (isFirst) {
          const next = indexHolding(grid, side, cursor.pxText);
          if (next !== undefined && next !== index) now = { ...now, orders: 0, sz: 0n, notional: 0n };
          index = next;
          isFirst = false;
        }
        if (cursor.user?.toLowerCase() !== wallet) continue;
        const sz = BigInt(cursor.sz);
        const notional = px * sz;
        now = {
          orders: now.orders + 1,
          sz: now.sz + sz,
          cumSz: now.cumSz + sz,
          notional: now.notional + notional,
          cumNotional: now.cumNotional + notional,
        };
      }
      if (index === undefined) continue;
      if (isBeyond(index)) break;
      rows.set(index, now);
    }
    this.#rows = rows;
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
