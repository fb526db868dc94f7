import type { L4Book } from '@l4desk/book';
import { add, compare, formatUnits } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import { bookDifference } from '../history/book-difference.ts';
import type { OrderDifference } from '../history/time-line.ts';
import { midOf, rangeAround } from '../mid.ts';

/** A number of orders and their total size. */
export interface OrdersSum {
  readonly orders: number;
  readonly sz: DecimalString;
}

/** What changed on one side near the mid during an outage. */
export interface MissedSide {
  readonly bestBefore: DecimalString | null;
  readonly bestAfter: DecimalString | null;
  readonly added: OrdersSum;
  readonly gone: OrdersSum;
  /** Orders that still rest, with another size. */
  readonly resized: number;
}

/** What an outage hid: two books of a coin, compared near the mid of the later one. */
export interface Missed {
  readonly withinBps: DecimalString;
  readonly bids: MissedSide;
  readonly asks: MissedSide;
}

/**
 * What an outage hid: best prices before and after, and orders that arrived, left or changed size within the distance of the
 * later book's mid. If that book lacks a side, every order counts. How often an order changed in between is unknown, as
 * are orders that both arrived and left.
 */
export function missedBetween(before: L4Book, after: L4Book, withinBps: DecimalString): Missed {
  const mid = midOf(after);
  const range = mid === undefined ? undefined : rangeAround(mid, withinBps);
  const { pxScale } = after.cursor('B');
  const [low, high] = range === undefined ? [] : [formatUnits(range.low, pxScale), formatUnits(range.high, pxScale)];
  const isNear = ({ px }: OrderDifference) =>
    low === undefined || high === undefined || (compare(px, low) >= 0 && compare(px, high) <= 0);
  const near = bookDifference(before, after).filter(isNear);
  const sideOf = (side: Side): MissedSide => {
    const own = near.filter((order) => order.side === side);
    return {
      bestBefore: before.best(side)?.px ?? null,
      bestAfter: after.best(side)?.px ?? null,
      added: sumOf(own.flatMap(({ from, to }) => (from === null && to !== null ? [to] : []))),
      gone: sumOf(own.flatMap(({ from, to }) => (to === null && from !== null ? [from] : []))),
      resized: own.filter(({ from, to }) => from !== null && to !== null).length,
    };
  };
  return { withinBps, bids: sideOf('B'), asks: sideOf('A') };
}

function sumOf(sizes: readonly DecimalString[]): OrdersSum {
  return { orders: sizes.length, sz: sizes.reduce((sum, sz) => add(sum, sz), '0' as DecimalString) };
}
