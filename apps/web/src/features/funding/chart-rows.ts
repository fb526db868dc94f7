import { groupBy } from '../../ui/group-by.ts';
import { type Entry, entryAt, type FundingPeriod, type History } from './entries.ts';
import { DAY_MS, HOUR_MS, intervalsPerYear, YEAR_MS } from './interval.ts';
import type { PaneKind, Unit } from './search.ts';
import { lookOf } from './series.tsx';

/** What the chart shows, and how. */
export interface FundingChart {
  readonly histories: readonly History[];
  /** The same coins over the whole requested period. */
  readonly whole: readonly History[];
  readonly period: FundingPeriod;
  readonly view: FundingPeriod;
  readonly unit: Unit;
  readonly paneKind: PaneKind | undefined;
}

/**
 * The values of all coins at a time, in percent, by their letters; null where a line breaks. A mean has its lowest and highest
 * value beside it, by `rangeKey`. Floats: they only become pixels.
 */
export type ChartRow = { readonly time: number } & Readonly<Record<string, Value>>;

type Value = number | readonly [low: number, high: number] | null;

/** The name of a coin's lowest and highest value of a day. */
export const rangeKey = (letter: string) => `${letter} range`;

export type Drawn = Unit | PaneKind;

const SINGLE_VALUES_MAX_MS = 30 * DAY_MS;

/** Whether this view is drawn as means of days. */
export function hasDayMeans({ from, to }: FundingPeriod): boolean {
  return to - from > SINGLE_VALUES_MAX_MS;
}

/** The rows of a chart in view: of its entries, or of its days. */
export function chartRows(histories: readonly History[], drawn: Drawn, view: FundingPeriod): readonly ChartRow[] {
  return hasDayMeans(view) ? dayRows(histories, drawn, view) : entryRows(histories, drawn, view);
}

const MINUTE_MS = 60_000;
/** Entries are some seconds off the hour, and rows are at whole minutes. */
const LATE_MS = MINUTE_MS / 2;

/** One row for each entry and, because a value applies for its interval up to its time, one where the first value after a hole begins. */
function entryRows(histories: readonly History[], drawn: Drawn, { from, to }: FundingPeriod): readonly ChartRow[] {
  const times = new Set<number>();
  for (const { entries, completeness } of histories) {
    entries.forEach((entry, at) => {
      // The histories may be longer than the view.
      if (entry.time < from || entry.time - (entry.interval ?? HOUR_MS) > to) return;
      const time = minute(entry.time);
      times.add(time);
      const before = entries[at - 1];
      if (before !== undefined && !completeness.breaks.has(at)) return;
      times.add(Math.max(from, time - (entry.interval ?? HOUR_MS)));
      if (before !== undefined) times.add(minute(before.time) + MINUTE_MS);
    });
  }
  return [...times]
    .filter((time) => time >= from && time <= to + MINUTE_MS)
    .sort((a, b) => a - b)
    .map((time) => ({
      time,
      ...Object.fromEntries(histories.map((history, at) => [lookOf(at).letter, heldAt(history, drawn, time)])),
    }));
}

/** The values of each UTC day of a view: two rows a day, because its mean applies from its start to its end. */
function dayRows(histories: readonly History[], drawn: Drawn, view: FundingPeriod): readonly ChartRow[] {
  const days = new Map<number, Record<string, Value>>();
  for (const [at, history] of histories.entries()) {
    const { letter } = lookOf(at);
    const inView = history.counted.filter(({ time }) => time >= view.from && time <= view.to);
    // A rate applies up to its time, so that of midnight belongs to the day before.
    for (const [day, entries] of groupBy(inView, ({ time }) => Math.floor((time - HOUR_MS / 2) / DAY_MS))) {
      const values = entries.flatMap((entry) => valueOf(history, entry, drawn) ?? []);
      if (values.length === 0) continue;
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const range = [Math.min(...values), Math.max(...values)] as const;
      days.set(day, { ...days.get(day), [letter]: mean, [rangeKey(letter)]: range });
    }
  }
  const none = Object.fromEntries(histories.map((_, at) => [lookOf(at).letter, null]));
  const first = Math.floor(view.from / DAY_MS);
  const last = Math.floor(view.to / DAY_MS);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at).flatMap((day) =>
    [day * DAY_MS, (day + 1) * DAY_MS - 1].map((time) => ({ ...none, ...days.get(day), time })),
  );
}

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
