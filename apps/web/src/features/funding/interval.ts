const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** A year of 365 days, as used to annualise funding. */
export const YEAR_MS = 365 * DAY_MS;

/**
 * How far a distance may be from a whole number of intervals and still count as one; entries are not exactly on the hour (D18).
 */
const OFF_BEAT = 0.1;

/**
 * The interval between entries: the most frequent distance, rounded to the minute; the smallest of several. Gaps, and entries
 * some seconds off the hour, do not change it. Undefined if no two entries are at least half a minute apart.
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

/** A range of the period in which entries are missing. In ms. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Number of intervals in it. */
  readonly intervals: number;
}

/** The received and the missing entries of a period. Nothing is ever filled in. */
export interface Completeness {
  /** In ms; undefined if fewer than two entries determine it. */
  readonly interval: number | undefined;
  /** Number of entries without duplicates. */
  readonly received: number;
  /** Indexes of the entries that repeat the interval of the entry before them. */
  readonly duplicates: readonly number[];
  /** Indexes of the entries after a gap: a line breaks before them. */
  readonly breaks: ReadonlySet<number>;
  /** Ranges between entries where entries are missing. */
  readonly gaps: readonly Stretch[];
  /** From the start of the period to the first entry, if at least an interval is missing there. */
  readonly before: Stretch | undefined;
  /** From the last entry to the end of the period, or to the time of the request. */
  readonly after: Stretch | undefined;
  /** Entries whose distance from the one before is no multiple of the interval: the interval changes within the period. */
  readonly offBeat: number;
}

/** Measures the interval of entries, oldest first, and checks them against it over a period (ms, both ends included). */
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
    // Without an interval, all entries are within half a minute of each other.
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

/** The number of missing intervals, between the entries and at the ends of the period. */
export function missingOf({ gaps, before, after }: Completeness): number {
  return gaps.reduce((sum, gap) => sum + gap.intervals, 0) + (before?.intervals ?? 0) + (after?.intervals ?? 0);
}

/** `1 h`, `8 h`, `30 min`, `1 d`. */
export function intervalText(ms: number): string {
  if (ms % DAY_MS === 0) return `${ms / DAY_MS} d`;
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  return `${ms / MINUTE_MS} min`;
}

/** Number of whole intervals in a year of 365 days; a partial last one is not counted. */
export function intervalsPerYear(interval: number): number {
  return Math.floor(YEAR_MS / interval);
}
