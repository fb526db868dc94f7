import { entryAt } from './cursor.ts';
import type { Entry, FundingPeriod, History } from './entries.ts';
import { HOUR_MS, intervalsPerYear, YEAR_MS } from './interval.ts';
import type { PaneKind, Unit } from './search.ts';
import { lookOf } from './series.ts';

/** The values of all coins at a time, in percent, by their letters; null where a line breaks. Floats: they only become pixels. */
export type ChartRow = { readonly time: number } & Readonly<Record<string, number | null>>;

/** What of an entry is drawn: its rate in a unit, or the value of a pane. */
export type Drawn = Unit | PaneKind;

/** The most buckets of a line: where there are more entries, each bucket has its lowest and its highest value. */
const BUCKETS_MAX = 400;

const MINUTE_MS = 60_000;
/** Entries are some seconds off the hour, and rows are at whole minutes. */
const LATE_MS = MINUTE_MS / 2;

/**
 * The rows of a chart in view: one for each entry and, because a value applies for its interval up to its time, one where the
 * first value after a hole begins. Of more entries than there are buckets, two rows for each bucket.
 */
export function chartRows(
  histories: readonly History[],
  drawn: Drawn,
  { from, to }: FundingPeriod,
  bucketsMax = BUCKETS_MAX,
): readonly ChartRow[] {
  const times = new Set<number>();
  for (const { entries, completeness } of histories) {
    entries.forEach((entry, at) => {
      const time = minute(entry.time);
      times.add(time);
      const before = entries[at - 1];
      if (before !== undefined && !completeness.breaks.has(at)) return;
      times.add(Math.max(from, time - (entry.interval ?? HOUR_MS)));
      if (before !== undefined) times.add(minute(before.time) + MINUTE_MS);
    });
  }
  if (times.size > 2 * bucketsMax) return bucketRows(histories, drawn, { from, to }, bucketsMax);
  return [...times]
    .filter((time) => time >= from && time <= to + MINUTE_MS)
    .sort((a, b) => a - b)
    .map((time) => rowAt(time, histories, (history) => heldAt(history, drawn, time)));
}

function bucketRows(
  histories: readonly History[],
  drawn: Drawn,
  { from, to }: FundingPeriod,
  bucketsMax: number,
): readonly ChartRow[] {
  const width = (to - from) / bucketsMax;
  const buckets = histories.map((history) => {
    const found: { first: number; second: number }[] = [];
    for (const entry of history.entries) {
      const value = valueOf(history, entry, drawn);
      const at = Math.min(bucketsMax - 1, Math.floor((entry.time - from) / width));
      const bucket = found[at];
      if (value === null) continue;
      if (bucket === undefined) found[at] = { first: value, second: value };
      else if (value < Math.min(bucket.first, bucket.second))
        found[at] = { first: Math.max(bucket.first, bucket.second), second: value };
      else if (value > Math.max(bucket.first, bucket.second))
        found[at] = { first: Math.min(bucket.first, bucket.second), second: value };
    }
    return found;
  });
  return Array.from({ length: 2 * bucketsMax }, (_, half) => {
    const at = half >> 1;
    const time = from + (half + 0.5) * (width / 2);
    return rowAt(time, histories, (history, coin) => {
      const bucket = buckets[coin]?.[at];
      return bucket === undefined ? heldAt(history, drawn, time) : half % 2 === 0 ? bucket.first : bucket.second;
    });
  });
}

function rowAt(
  time: number,
  histories: readonly History[],
  of: (history: History, at: number) => number | null,
): ChartRow {
  return { time, ...Object.fromEntries(histories.map((history, at) => [lookOf(at).letter, of(history, at)])) };
}

/** The value that applies at a time. */
function heldAt(history: History, drawn: Drawn, time: number): number | null {
  const entry = entryAt(history, time - LATE_MS);
  return entry === undefined ? null : valueOf(history, entry, drawn);
}

function valueOf({ scale }: History, entry: Entry, drawn: Drawn): number | null {
  if (drawn === 'premium' || drawn === 'cumulative') {
    const units = drawn === 'premium' ? entry.premiumUnits : entry.cumulative;
    return units === undefined ? null : Number(units) * 10 ** -scale * 100;
  }
  return rateInPercent(Number(entry.fundingRate), drawn, entry.interval ?? HOUR_MS);
}

/** A rate of an interval in a unit, in percent, as precise as a pixel needs. */
export function rateInPercent(rate: number, unit: Unit, interval: number): number {
  switch (unit) {
    case 'interval':
      return rate * 100;
    case '8h':
      return ((rate * 8 * HOUR_MS) / interval) * 100;
    case 'simple':
      return ((rate * YEAR_MS) / interval) * 100;
    case 'compound':
      return Math.expm1(intervalsPerYear(interval) * Math.log1p(Math.max(rate, -0.999_999))) * 100;
  }
}

const minute = (time: number) => Math.round(time / MINUTE_MS) * MINUTE_MS;
