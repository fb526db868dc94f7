const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** A year of 365 days, as funding is annualised. */
export const YEAR_MS = 365 * DAY_MS;

/** How far from a whole number of intervals a distance may be and still keep to the beat; entries are not exactly on the hour (D18). */
const OFF_BEAT = 0.1;

/**
 * The interval between entries: the distance, to the minute, that occurs most often; the smallest of several. Gaps and
 * entries some seconds off the hour do not move it. Undefined where no two entries are half a minute apart.
 */
export function measureInterval(times: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  let before: number | undefined;
  for (const time of times) {
    const minutes = before === undefined ? 0 : Math.round((time - before) / MINUTE_MS);
    if (minutes > 0) counts.set(minutes, (counts.get(minutes) ?? 0) + 1);
    before = time;
  }
  let best: number | undefined;
  let most = 0;
  for (const [minutes, count] of counts) {
    if (count > most || (count === most && minutes < (best ?? 0))) {
      best = minutes;
      most = count;
    }
  }
  return best === undefined ? undefined : best * MINUTE_MS;
}

/** A stretch of the period where entries came, or did not. Ms. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Intervals in it. */
  readonly intervals: number;
}

/** What is there of a period, and what is not. Nothing is ever filled in. */
export interface Completeness {
  /** Ms; undefined where fewer than two entries tell it. */
  readonly interval: number | undefined;
  /** Entries, those that came again left out. */
  readonly received: number;
  /** Places in the entries of those that repeat the interval of the entry before them. */
  readonly duplicates: readonly number[];
  /** Places of the entries that come after a gap: a line breaks before them. */
  readonly breaks: ReadonlySet<number>;
  /** Where entries are missing between others. */
  readonly gaps: readonly Stretch[];
  /** From the period's start to the first entry, where an interval or more lies between. */
  readonly before: Stretch | undefined;
  /** From the last entry to the period's end, or to when it was asked for. */
  readonly after: Stretch | undefined;
  /** Entries that keep to no multiple of the interval from the one before: the interval changes in the period. */
  readonly offBeat: number;
}

/** Measures the interval of entries, oldest first, and holds them against it over a period (ms, both ends included). */
export function measure(
  times: readonly number[],
  period: { readonly from: number; readonly to: number },
): Completeness {
  const interval = measureInterval(times);
  const duplicates: number[] = [];
  const breaks = new Set<number>();
  const gaps: Stretch[] = [];
  let offBeat = 0;
  for (let at = 1; at < times.length; at += 1) {
    const [before = 0, time = 0] = [times[at - 1], times[at]];
    // Without an interval all entries are within half a minute of each other.
    const beats = interval === undefined ? 0 : (time - before) / interval;
    const whole = Math.round(beats);
    if (beats < OFF_BEAT) duplicates.push(at);
    else if (Math.abs(beats - whole) > OFF_BEAT) {
      offBeat += 1;
      if (whole > 1) breaks.add(at);
    } else if (whole > 1) {
      breaks.add(at);
      gaps.push({ from: before, to: time, intervals: whole - 1 });
    }
  }
  const [first, last] = [times[0], times.at(-1)];
  return {
    interval,
    received: times.length - duplicates.length,
    duplicates,
    breaks,
    gaps,
    before: first === undefined ? undefined : edge(period.from, first, interval),
    after: last === undefined ? undefined : edge(last, period.to, interval),
    offBeat,
  };
}

function edge(from: number, to: number, interval: number | undefined): Stretch | undefined {
  const intervals = interval === undefined ? 0 : Math.floor((to - from) / interval);
  return intervals > 0 ? { from, to, intervals } : undefined;
}

/** Intervals that a period lacks between its entries and at its ends. */
export function missingOf({ gaps, before, after }: Completeness): number {
  return gaps.reduce((sum, gap) => sum + gap.intervals, 0) + (before?.intervals ?? 0) + (after?.intervals ?? 0);
}

/** `1 h`, `8 h`, `30 min`, `1 d`. */
export function intervalText(ms: number): string {
  if (ms % DAY_MS === 0) return `${ms / DAY_MS} d`;
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  return `${ms / MINUTE_MS} min`;
}

/** Whole intervals in a year of 365 days; the last one may be cut short. */
export function intervalsPerYear(interval: number): number {
  return Math.floor(YEAR_MS / interval);
}
