import { add as plus, subtract } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { OrderRow } from './order-rows.ts';
import { livedMs } from './order-table.ts';
import { goneOf, phaseOf } from './outcome.ts';
import { flagOf } from './reported-order.ts';

/** Ms from placing to the final state. */
export interface LifeTimes {
  readonly shortest: number;
  readonly median: number;
  /** Nine out of ten took at most this long. */
  readonly ninth: number;
  readonly longest: number;
}

interface CoinStatistics {
  readonly coin: string;
  /** Orders that were accepted and are final. */
  readonly orders: number;
  readonly filled: number;
  /** Filled size and total size of those orders, in base units. Shrunken reduce-only orders are left out of both. */
  readonly filledSize: DecimalString;
  readonly size: DecimalString;
}

/** Outcomes of the orders in view. Each order counts once, by its last entry in the history. */
export interface OutcomeStatistics {
  readonly orders: number;
  readonly outcomes: readonly (readonly [kind: string, orders: number])[];
  /** Orders that were accepted and are final: filled or canceled. */
  readonly accepted: number;
  readonly filled: number;
  readonly rejected: number;
  /** By status, most frequent first. */
  readonly rejections: readonly (readonly [status: string, orders: number])[];
  readonly cancellations: readonly (readonly [status: string, orders: number])[];
  readonly timeToFilled: LifeTimes | undefined;
  readonly timeToCanceled: LifeTimes | undefined;
  readonly coins: readonly CoinStatistics[];
  /** Shrunken reduce-only orders, whose filled size is not reported. */
  readonly cut: number;
}

interface CoinSum {
  readonly orders: number;
  readonly filled: number;
  readonly left: DecimalString;
  readonly size: DecimalString;
}

const NO_ORDERS: CoinSum = { orders: 0, filled: 0, left: '0', size: '0' };

export function statisticsOf(rows: readonly OrderRow[]): OutcomeStatistics {
  const outcomes = new Map<string, number>();
  const rejections = new Map<string, number>();
  const cancellations = new Map<string, number>();
  const filledAfter: number[] = [];
  const canceledAfter: number[] = [];
  const coins = new Map<string, CoinSum>();
  let orders = 0;
  let cut = 0;
  for (const row of rows) {
    const { call, later, entry, order, facets } = row;
    if (call !== 'historicalOrders' || later !== undefined || entry.status === undefined) continue;
    orders += 1;
    add(outcomes, facets.outcome);
    const phase = phaseOf(entry.status);
    if (phase === 'rejected') add(rejections, entry.status);
    if (phase === 'canceled') add(cancellations, entry.status);
    if (phase !== 'filled' && phase !== 'canceled') continue;
    (phase === 'filled' ? filledAfter : canceledAfter).push(livedMs(row) ?? 0);
    const sum = coins.get(order.coin) ?? NO_ORDERS;
    const gone = goneOf(order.sz, order.origSz);
    const isCut = gone === 'part' && flagOf(order, 'reduceOnly') === true;
    if (isCut) cut += 1;
    const isSummed = !isCut && gone !== 'unknown';
    coins.set(order.coin, {
      orders: sum.orders + 1,
      filled: sum.filled + (phase === 'filled' ? 1 : 0),
      left: isSummed ? plus(sum.left, order.sz ?? '0') : sum.left,
      size: isSummed ? plus(sum.size, order.origSz ?? '0') : sum.size,
    });
  }
  return {
    orders,
    outcomes: mostFirst(outcomes),
    accepted: filledAfter.length + canceledAfter.length,
    filled: filledAfter.length,
    rejected: [...rejections.values()].reduce((total, count) => total + count, 0),
    rejections: mostFirst(rejections),
    cancellations: mostFirst(cancellations),
    timeToFilled: lifeTimes(filledAfter),
    timeToCanceled: lifeTimes(canceledAfter),
    coins: [...coins]
      .map(([coin, { orders: count, filled, left, size }]) => ({
        coin,
        orders: count,
        filled,
        filledSize: subtract(size, left),
        size,
      }))
      .sort((a, b) => b.orders - a.orders || (a.coin < b.coin ? -1 : 1)),
    cut,
  };
}

function lifeTimes(times: readonly number[]): LifeTimes | undefined {
  if (times.length === 0) return undefined;
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { shortest: at(0), median: at(0.5), ninth: at(0.9), longest: at(1) };
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}
