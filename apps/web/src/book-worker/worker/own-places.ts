import type { L4Book } from '@l4desk/book';
import { add, formatUnits, parseBigUnits } from '@l4desk/decimal';
import type { QueueFront } from '@l4desk/insight';
import type { DecimalString, Side } from '@l4desk/protocol';
import { indexHolding, type TickGrid } from '../prices.ts';

/** The foremost order of a watched wallet in a row of the ladder. */
export interface RowFront {
  readonly user: QueueFront['user'];
  /** Orders of the row in front of it, at better prices too, and their size. */
  readonly ordersAhead: number;
  readonly szAhead: DecimalString;
  /** How many orders of watched wallets the row holds. */
  readonly own: number;
}

/** The best price of a row at which a watched order rests. */
interface Found {
  readonly index: number;
  readonly units: bigint;
  readonly front: QueueFront;
  own: number;
}

/** Prices are compared as whole multiples of 10 to the minus this: finer than any that an exchange has. */
const PX_SCALE = 18;

/**
 * The foremost orders by the index of their row, where a row holds the prices of a tick: the queue of a row runs from its
 * best price outward. `ordersOf` says how many orders a row has.
 */
export function rowFronts(
  book: L4Book,
  side: Side,
  grid: TickGrid,
  fronts: Iterable<QueueFront>,
  ordersOf: (index: number) => number,
): ReadonlyMap<number, RowFront> {
  const sign = side === 'A' ? 1n : -1n;
  const rows = new Map<number, Found>();
  for (const front of fronts) {
    const index = indexHolding(grid, side, front.px);
    const units = parseBigUnits(front.px, PX_SCALE);
    if (index === undefined || units === undefined) continue;
    const known = rows.get(index);
    if (known === undefined || sign * (units - known.units) < 0n) {
      rows.set(index, { index, units, front, own: front.own + (known?.own ?? 0) });
    } else known.own += front.own;
  }
  // A row of one price has nothing in front of its queue.
  const grouped = [...rows.values()].filter(({ index, front }) => ordersOf(index) > front.levelOrders);
  const better = grouped.length === 0 ? undefined : betterInRow(book, side, grid, grouped);
  const found = new Map<number, RowFront>();
  for (const { index, front, own } of rows.values()) {
    const { orders, sz } = better?.get(index) ?? { orders: 0, sz: '0' };
    const szAhead = orders === 0 ? front.szAhead : add(front.szAhead, sz);
    found.set(index, { user: front.user, ordersAhead: front.ordersAhead + orders, szAhead, own });
  }
  return found;
}

/** Orders and size at the prices of each row that are better than the one found, in one walk over the levels. */
function betterInRow(
  book: L4Book,
  side: Side,
  grid: TickGrid,
  found: readonly Found[],
): ReadonlyMap<number, { readonly orders: number; readonly sz: DecimalString }> {
  const sign = side === 'A' ? 1n : -1n;
  const step = BigInt(grid.units) * 10n ** BigInt(PX_SCALE - grid.decimals);
  const outward = found.toSorted((a, b) => (a.units === b.units ? 0 : sign * (a.units - b.units) < 0n ? -1 : 1));
  const cursor = book.cursor(side);
  const factor = 10n ** BigInt(PX_SCALE - cursor.pxScale);
  const sums = new Map<number, { orders: number; sz: DecimalString }>();
  let at = 0;
  let orders = 0;
  let sz = 0n;
  while (at < outward.length && cursor.nextLevel()) {
    const px = BigInt(cursor.px) * factor;
    while (at < outward.length) {
      const { index, units } = outward[at] as Found;
      if (sign * (px - units) < 0n) break;
      sums.set(index, { orders, sz: formatUnits(sz, cursor.szScale) });
      [orders, sz] = [0, 0n];
      at += 1;
    }
    const next = outward[at];
    // The row's own best edge: what is better belongs to another row.
    if (next === undefined || sign * (px - (BigInt(next.index) - sign) * step) <= 0n) continue;
    orders += cursor.levelOrders;
    sz += BigInt(cursor.levelSz);
  }
  return sums;
}
