import { divide, formatUnits, squareRoot } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { Entry, History } from './entries.ts';

/** Shown decimals of the mean and the deviation, as fractions; two fewer as percent. */
export const STATISTIC_DECIMALS = 12;
/** Decimals of the mean before it is converted: a year multiplies its error by the number of intervals. */
const MEAN_DECIMALS = 24;
/** Decimals of the share, as a fraction. */
const SHARE_DECIMALS = 4;

/** Statistics of one coin's rates in view, per interval, as fractions. */
export interface Statistics {
  readonly count: number;
  /** Exact. */
  readonly sum: DecimalString;
  /** Rounded half up to `MEAN_DECIMALS`. */
  readonly mean: DecimalString;
  /** Exact. */
  readonly median: DecimalString;
  readonly deviation: DecimalString;
  readonly positive: number;
  readonly share: DecimalString;
  readonly lowest: Entry;
  readonly highest: Entry;
  /** Mean of the reported premiums, rounded half up to `STATISTIC_DECIMALS`; undefined if none is reported. */
  readonly premium: DecimalString | undefined;
}

/** Returns undefined if nothing is in view. */
export function statisticsOf({ counted, scale }: History): Statistics | undefined {
  const [first] = counted;
  if (first === undefined) return undefined;
  const count = counted.length;
  let sum = 0n;
  let squares = 0n;
  let positive = 0;
  let [lowest, highest] = [first, first];
  for (const entry of counted) {
    sum += entry.rate;
    squares += entry.rate * entry.rate;
    if (entry.rate > 0n) positive += 1;
    if (entry.rate < lowest.rate) lowest = entry;
    if (entry.rate > highest.rate) highest = entry;
  }
  const size = BigInt(count);
  const text = formatUnits(sum, scale);
  // n·Σx² − (Σx)² is n² times the variance: its root is taken before the only division.
  const spread = squareRoot(formatUnits(size * squares - sum * sum, 2 * scale), STATISTIC_DECIMALS + 8);
  return {
    count,
    sum: text,
    mean: quotient(text, count, MEAN_DECIMALS),
    median: median(
      counted.map(({ rate }) => rate),
      scale,
    ),
    deviation: quotient(spread ?? formatUnits(0, 0), count, STATISTIC_DECIMALS),
    positive,
    share: quotient(formatUnits(positive, 0), count, SHARE_DECIMALS),
    lowest,
    highest,
    premium: premiumOf(counted, scale),
  };
}

/** The mean premium; leaves out premiums that are not reported. */
function premiumOf(entries: readonly Entry[], scale: number): DecimalString | undefined {
  const reported = entries.flatMap(({ premiumUnits }) => premiumUnits ?? []);
  if (reported.length === 0) return undefined;
  const sum = reported.reduce((total, units) => total + units, 0n);
  return quotient(formatUnits(sum, scale), reported.length, STATISTIC_DECIMALS);
}

/** `count` is never zero here. */
function quotient(text: DecimalString, count: number, decimals: number): DecimalString {
  return divide(text, formatUnits(count, 0), decimals) ?? text;
}

function median(rates: readonly bigint[], scale: number): DecimalString {
  const sorted = rates.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = sorted.length >> 1;
  const [low = 0n, high = 0n] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  // The midpoint of two values has one more decimal than they have.
  return formatUnits((low + high) * 5n, scale + 1);
}
