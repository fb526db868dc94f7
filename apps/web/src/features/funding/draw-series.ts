import type { Scale } from '../../ui/draw/scale.ts';
import type { Entry, History } from './entries.ts';
import { HOUR_MS, intervalsPerYear, YEAR_MS } from './interval.ts';
import type { PaneKind, Unit } from './search.ts';

/** A line to draw: values at times, in percent; floats, because they only become pixels. */
export interface DrawnSeries {
  readonly times: readonly number[];
  readonly values: Float64Array;
  /** Indexes before which the line breaks. */
  readonly breaks: ReadonlySet<number>;
  /** The ms before its time for which each value applies. */
  readonly intervals: readonly number[];
}

/** The rates of a coin in a unit, in percent. Duplicate entries are drawn at their own times. */
export function drawRates({ entries, completeness }: History, unit: Unit): DrawnSeries {
  const intervals = entries.map(({ interval = HOUR_MS }) => interval);
  return {
    times: entries.map(({ time }) => time),
    values: Float64Array.from(
      entries,
      ({ fundingRate, interval = HOUR_MS }) => drawnRate(unit, Number(fundingRate), interval) * 100,
    ),
    breaks: completeness.breaks,
    intervals,
  };
}

/** The values of a pane, also in percent. The line breaks where no value is reported. */
export function drawPaneSeries({ entries, completeness, scale }: History, paneKind: PaneKind): DrawnSeries {
  const unit = 10 ** -scale;
  const unitsOf = (entry: Entry) => (paneKind === 'premium' ? entry.premiumUnits : entry.cumulative);
  const times: number[] = [];
  const values: number[] = [];
  const intervals: number[] = [];
  const breaks = new Set<number>();
  let isBroken = false;
  for (const [at, entry] of entries.entries()) {
    const units = unitsOf(entry);
    isBroken ||= units === undefined || completeness.breaks.has(at);
    if (units === undefined) continue;
    if (isBroken) breaks.add(times.length);
    isBroken = false;
    times.push(entry.time);
    intervals.push(entry.interval ?? HOUR_MS);
    values.push(Number(units) * unit * 100);
  }
  return { times, values: Float64Array.from(values), breaks, intervals };
}

function drawnRate(unit: Unit, rate: number, interval: number): number {
  switch (unit) {
    case 'interval':
      return rate;
    case '8h':
      return (rate * 8 * HOUR_MS) / interval;
    case 'simple':
      return (rate * YEAR_MS) / interval;
    case 'compound':
      return Math.expm1(intervalsPerYear(interval) * Math.log1p(Math.max(rate, -0.999_999)));
  }
}

/**
 * The path of a series, in steps, because a rate applies for its interval, up to its time; it breaks where entries are missing.
 * If several entries share a pixel, the pixel's extremes are drawn, so that nothing visible is lost. Nothing is drawn left of
 * `edge`.
 */
export function pathOf({ times, values, breaks, intervals }: DrawnSeries, x: Scale, y: Scale, edge = 0): string {
  const path: string[] = [];
  let column = Number.NaN;
  let low = 0;
  let high = 0;
  let last = 0;
  const flush = () => {
    if (low < high) path.push(`V${low}V${high}V${last}`);
  };
  for (let at = 0; at < times.length; at += 1) {
    const time = times[at] ?? 0;
    const [end, level] = [tenth(x(time)), tenth(y(values[at] ?? 0))];
    if (at === 0 || breaks.has(at)) {
      flush();
      column = Number.NaN;
      path.push(`M${tenth(Math.max(edge, x(time - (intervals[at] ?? 0))))} ${level}H${end}`);
    } else if (Math.floor(end) === column) {
      low = Math.min(low, level);
      high = Math.max(high, level);
      last = level;
      continue;
    } else {
      flush();
      path.push(`V${level}H${end}`);
    }
    column = Math.floor(end);
    low = level;
    high = level;
    last = level;
  }
  flush();
  return path.join('');
}

const tenth = (pixels: number) => Math.round(pixels * 10) / 10;

/** The smallest and the largest value of several series; undefined if there are none. */
export function extentOf(series: readonly DrawnSeries[]): readonly [low: number, high: number] | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { values } of series) {
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? [low, high] : undefined;
}

/** Groups of lines with the same end, by index: equal last values at the same interval. Lines without an end are in no group. */
export function drawEnds(series: readonly DrawnSeries[]): readonly (readonly [first: number, ...others: number[]])[] {
  const groups: [number, ...number[]][] = [];
  series.forEach(({ times, values, intervals }, at) => {
    const [time, value] = [times.at(-1), values.at(-1)];
    if (time === undefined) return;
    const alike = groups.find(([first]) => {
      const other = series[first];
      return (
        other?.values.at(-1) === value && Math.abs((other?.times.at(-1) ?? 0) - time) < (intervals.at(-1) ?? 0) / 2
      );
    });
    if (alike === undefined) groups.push([at]);
    else alike.push(at);
  });
  return groups;
}

const LETTER_PX = 11;

/** The heights of the letters at the ends of the lines, moved apart to be readable; undefined for a line without an end. */
export function drawLetters(
  heights: readonly (number | undefined)[],
  top: number,
  bottom: number,
): readonly (number | undefined)[] {
  const order = heights
    .flatMap((height, at) => (height === undefined ? [] : [{ height, at }]))
    .sort((a, b) => a.height - b.height);
  const placed: (number | undefined)[] = heights.map(() => undefined);
  const lowest = bottom - (order.length - 1) * LETTER_PX;
  let next = top;
  order.forEach(({ height, at }, rank) => {
    const y = Math.max(next, Math.min(height, lowest + rank * LETTER_PX));
    placed[at] = y;
    next = y + LETTER_PX;
  });
  return placed;
}
