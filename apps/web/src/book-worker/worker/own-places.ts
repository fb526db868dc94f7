import type { L4Book } from '@l4desk/book';
import { add, formatUnits } from '@l4desk/decimal';
import type { QueueFront } from '@l4desk/insight';
import type { DecimalString, Side } from '@l4desk/protocol';
import { indexHolding, type TickGrid } from '../prices.ts';
import { PX_SCALE, priceUnits } from './price-units.ts';

export interface RowFront {
  readonly user: QueueFront['user'];
  /** Number and total size of the row's orders in front of it, including those at better prices of the row. */
  readonly ordersAhead: number;
  readonly szAhead: DecimalString;
  readonly own: number;
}

/** The best price of a row at which a watched order rests. */
interface Found {
  readonly index: number;
  readonly units: bigint;
  readonly front: QueueFront;
  own: number;
}

/**
 * Returns the foremost watched order of each row, by price index. A row may group the prices of a tick; its queue runs from its
 * best price outward. `ordersOf` returns how many orders a row has; rows without any are left out.
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
    const units = priceUnits(front.px);
    if (index === undefined || ordersOf(index) === 0) continue;
    const known = rows.get(index);
    if (known === undefined || sign * (units - known.units) < 0n) {
      rows.set(index, { index, units, front, own: front.own + (known?.own ?? 0) });
    } else known.own += front.own;
  }
  // In a row with a single price nothing is in front of that price's queue.
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

/** Number and size of the orders at better prices within each row, in one pass over the levels. */
function betterInRow(
  book: L4Book,
  side: Side,
  grid: TickGrid,
  found: readonly Found[],
): ReadonlyMap<number, { readonly orders: number; readonly sz: DecimalString }> {
  const isAsk = side === 'A';
  const cursor = book.cursor(side);
  const { pxScale } = cursor;
  const outward = found.toSorted((a, b) => (a.units === b.units ? 0 : a.units < b.units === isAsk ? -1 : 1));
  const targets = outward.map(({ index, units }) => ({
    index,
    px: inScale(units, PX_SCALE, pxScale),
    edge: edgeOf(grid, side, index, pxScale),
  }));
  const sums = new Map<number, { orders: number; sz: DecimalString }>();
  let at = 0;
  let orders = 0;
  let sz = 0n;
  while (at < targets.length && cursor.nextLevel()) {
    const { px } = cursor;
    let next = targets[at];
    // Prices are compared in the cursor's units, without creating a bigint for each.
    while (next !== undefined && (isAsk ? px >= next.px : px <= next.px)) {
      sums.set(next.index, { orders, sz: formatUnits(sz, cursor.szScale) });
      [orders, sz] = [0, 0n];
      at += 1;
      next = targets[at];
    }
    // A level at or before the row's best edge belongs to a better row.
    if (next === undefined || (isAsk ? px <= next.edge : px >= next.edge)) continue;
    orders += cursor.levelOrders;
    sz += BigInt(cursor.levelSz);
  }
  return sums;
}

function inScale(units: bigint, from: number, to: number): bigint {
  return from > to ? units / 10n ** BigInt(from - to) : units * 10n ** BigInt(to - from);
}

/** The price just outside a row on its better side, as whole units of a scale, rounded outward. */
function edgeOf(grid: TickGrid, side: Side, index: number, scale: number): bigint {
  const units = BigInt(grid.units) * BigInt(side === 'A' ? index - 1 : index + 1);
  const edge = inScale(units, grid.decimals, scale);
  // Truncation would put the edge of a bid one unit too low.
  return side === 'B' && inScale(edge, scale, grid.decimals) < units ? edge + 1n : edge;
}
