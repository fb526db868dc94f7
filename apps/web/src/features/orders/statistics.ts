import { formatUnits, parseBigUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { type DecimalColumn, type OrderChunk, WHOLE_SHARE } from './order-chunk.ts';
import type { OrderTable, OrderView } from './order-table.ts';
import { type Phase, phaseOf } from './outcome.ts';
import { ABSENT } from './radix-sort.ts';
import { flagOf } from './reported-order.ts';

/** Ms between placing and the final state. */
export interface LifeTimes {
  readonly orders: number;
  readonly shortest: number;
  readonly median: number;
  /** Nine of ten took at most this long. */
  readonly ninth: number;
  readonly longest: number;
}

interface CoinStatistics {
  readonly coin: string;
  /** Orders that were accepted and are final. */
  readonly orders: number;
  readonly filled: number;
  /** Size that was filled, and size of those orders, in base units. Shrunken reduce-only orders are in neither. */
  readonly filledSize: DecimalString;
  readonly size: DecimalString;
}

/** What became of the orders in sight. Each order counts once, by its last entry in the history. */
export interface OutcomeStatistics {
  readonly orders: number;
  readonly outcomes: readonly (readonly [kind: string, orders: number])[];
  /** Orders that were accepted and are final: filled or canceled. */
  readonly accepted: number;
  readonly filled: number;
  readonly rejected: number;
  /** By status, the most frequent first. */
  readonly rejections: readonly (readonly [status: string, orders: number])[];
  readonly cancellations: readonly (readonly [status: string, orders: number])[];
  readonly timeToFilled: LifeTimes | undefined;
  readonly timeToCanceled: LifeTimes | undefined;
  readonly coins: readonly CoinStatistics[];
  /** Shrunken reduce-only orders, whose filled size nobody reports. */
  readonly cut: number;
}

interface CoinSum {
  orders: number;
  filled: number;
  filledUnits: bigint;
  units: bigint;
}

export function statisticsOf(table: OrderTable, view: OrderView): OutcomeStatistics {
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
  for (const number of view.numbers) {
    const { chunk, at } = table.place(number) ?? {};
    if (chunk === undefined || at === undefined || chunk.answer.call !== 'historicalOrders') continue;
    if (chunk.later(at) !== undefined) continue;
    const entry = chunk.answer.entries[at];
    if (entry?.status === undefined) continue;
    orders += 1;
    const outcome = words[chunk.codes.outcome[at] ?? 0];
    if (outcome !== undefined) add(outcomes, outcome);
    const phase = phases.get(entry.status) ?? phaseOf(entry.status);
    phases.set(entry.status, phase);
    if (phase === 'rejected') add(rejections, entry.status);
    if (phase === 'canceled') add(cancellations, entry.status);
    if (phase !== 'filled' && phase !== 'canceled') continue;
    (phase === 'filled' ? filledAfter : canceledAfter).push(chunk.lived[at] ?? 0);
    const { order } = entry;
    const coin = coins.get(order.coin) ?? { orders: 0, filled: 0, filledUnits: 0n, units: 0n };
    coins.set(order.coin, coin);
    coin.orders += 1;
    if (phase === 'filled') coin.filled += 1;
    const share = chunk.share[at] ?? ABSENT;
    if (share === ABSENT) continue;
    if (share > 0 && share < WHOLE_SHARE && flagOf(order, 'reduceOnly') === true) {
      cut += 1;
      continue;
    }
    const units = unitsAt(chunk, 'origSz', at, scale);
    coin.units += units;
    coin.filledUnits += units - unitsAt(chunk, 'sz', at, scale);
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
      .map(([coin, { orders: count, filled, filledUnits, units }]) => ({
        coin,
        orders: count,
        filled,
        filledSize: formatUnits(filledUnits, scale),
        size: formatUnits(units, scale),
      }))
      .sort((a, b) => b.orders - a.orders || (a.coin < b.coin ? -1 : 1)),
    cut,
  };
}

const TENS = Array.from({ length: 19 }, (_, zeros) => 10n ** BigInt(zeros));

function unitsAt(chunk: OrderChunk, column: DecimalColumn, at: number, scale: number): bigint {
  const { exact, units, texts, scale: own } = chunk.decimals[column];
  return exact
    ? BigInt(units[at] ?? 0) * (TENS[scale - own] ?? 10n ** BigInt(scale - own))
    : (parseBigUnits(texts[at] ?? '0', scale) ?? 0n);
}

function lifeTimes(times: number[]): LifeTimes | undefined {
  if (times.length === 0) return undefined;
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { orders: sorted.length, shortest: at(0), median: at(0.5), ninth: at(0.9), longest: at(1) };
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}
