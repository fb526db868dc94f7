import { formatUnits, parseBigUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { DecimalUnits } from './decimal-keys.ts';
import { WHOLE_SHARE } from './order-chunk.ts';
import type { OrderTable, OrderView } from './order-table.ts';
import { type OutcomeKind, type Phase, phaseOf } from './outcome.ts';
import { ABSENT } from './radix-sort.ts';
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
  orders: number;
  filled: number;
  readonly left: ExactSum;
  readonly size: ExactSum;
}

/** Sums whole numbers as doubles, and as bigint once a double cannot hold the sum. */
class ExactSum {
  #great = 0n;
  #small = 0;

  add(value: number | bigint): void {
    if (typeof value === 'bigint') {
      this.#great += value;
      return;
    }
    const next = this.#small + value;
    if (Number.isSafeInteger(next)) {
      this.#small = next;
      return;
    }
    this.#great += BigInt(this.#small);
    this.#small = value;
  }

  get total(): bigint {
    return this.#great + BigInt(this.#small);
  }
}

/**
 * Computes the statistics in steps, between which the page can draw: one per response, and the sorting of times. Each step
 * yields the share of rows processed.
 */
export function* statisticsSteps(table: OrderTable, view: OrderView): Generator<number, OutcomeStatistics> {
  const outcomes = new Map<string, number>();
  const rejections = new Map<string, number>();
  const cancellations = new Map<string, number>();
  const filledAfter: number[] = [];
  const canceledAfter: number[] = [];
  const coins = new Map<string, CoinSum>();
  const scale = table.chunks.reduce(
    (most, { decimals }) => Math.max(most, decimals.sz.scale, decimals.origSz.scale),
    0,
  );
  let orders = 0;
  let cut = 0;
  const phases = new Map<string, Phase>();
  const words = table.words('outcome');
  const earlier = words.indexOf('earlier entry' satisfies OutcomeKind);
  // By chunk, so that what belongs to one response is looked up once and no row has to be searched for.
  const inSight = new Uint8Array(table.length);
  for (const number of view.numbers) inSight[number] = 1;
  let start = 0;
  for (const chunk of table.chunks) {
    const first = start;
    start += chunk.length;
    if (chunk.response.call !== 'historicalOrders') continue;
    yield first / table.length;
    const sums = new Map<string, CoinSum>();
    for (const [at, { status, order }] of chunk.response.entries.entries()) {
      const code = chunk.codes.outcome[at] ?? 0;
      if (inSight[first + at] !== 1 || code === earlier || status === undefined) continue;
      orders += 1;
      const outcome = words[code];
      if (outcome !== undefined) add(outcomes, outcome);
      const phase = phases.get(status) ?? phaseOf(status);
      phases.set(status, phase);
      if (phase === 'rejected') add(rejections, status);
      if (phase === 'canceled') add(cancellations, status);
      if (phase !== 'filled' && phase !== 'canceled') continue;
      (phase === 'filled' ? filledAfter : canceledAfter).push(chunk.lived[at] ?? 0);
      const sum = sums.get(order.coin) ?? noOrders();
      sums.set(order.coin, sum);
      sum.orders += 1;
      if (phase === 'filled') sum.filled += 1;
      const share = chunk.share[at] ?? ABSENT;
      if (share === ABSENT) continue;
      if (share > 0 && share < WHOLE_SHARE && flagOf(order, 'reduceOnly') === true) {
        cut += 1;
        continue;
      }
      sum.size.add(unitsAt(chunk.decimals.origSz, at));
      sum.left.add(unitsAt(chunk.decimals.sz, at));
    }
    const { origSz, sz } = chunk.decimals;
    for (const [name, sum] of sums) {
      const coin = coins.get(name) ?? noOrders();
      coins.set(name, coin);
      coin.orders += sum.orders;
      coin.filled += sum.filled;
      coin.size.add(sum.size.total * 10n ** BigInt(scale - origSz.scale));
      coin.left.add(sum.left.total * 10n ** BigInt(scale - sz.scale));
    }
  }
  yield 1;
  const timeToFilled = lifeTimes(filledAfter);
  yield 1;
  const timeToCanceled = lifeTimes(canceledAfter);
  return {
    orders,
    outcomes: mostFirst(outcomes),
    accepted: filledAfter.length + canceledAfter.length,
    filled: filledAfter.length,
    rejected: [...rejections.values()].reduce((total, count) => total + count, 0),
    rejections: mostFirst(rejections),
    cancellations: mostFirst(cancellations),
    timeToFilled,
    timeToCanceled,
    coins: [...coins]
      .map(([coin, { orders: count, filled, left, size }]) => ({
        coin,
        orders: count,
        filled,
        filledSize: formatUnits(size.total - left.total, scale),
        size: formatUnits(size.total, scale),
      }))
      .sort((a, b) => b.orders - a.orders || (a.coin < b.coin ? -1 : 1)),
    cut,
  };
}

function noOrders(): CoinSum {
  return { orders: 0, filled: 0, left: new ExactSum(), size: new ExactSum() };
}

function unitsAt({ exact, units, texts, scale }: DecimalUnits, at: number): number | bigint {
  return exact ? (units[at] ?? 0) : (parseBigUnits(texts[at] ?? '0', scale) ?? 0n);
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
