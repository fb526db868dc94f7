const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** A year of 365 days, as used to annualise funding. */
export const YEAR_MS = 365 * DAY_MS;

/**
 * How far a distance may be from a whole number of intervals and still count as one; entries are not exactly on the hour (D18).
 */
const OFF_BEAT = 0.1;

export interface Piece {
  readonly interval: number;
  /** Time of its first entry, ms; undefined if nothing was measured before it. */
  readonly from: number | undefined;
  /** Time of its last entry, ms; undefined if nothing was measured after it. */
  readonly to: number | undefined;
}

/** Equal distances in a row that are an interval of their own beside a finer one: fewer are gaps. */
const COARSER_MIN = 3;
/** The same between two parts of one finer interval. */
const COARSER_BETWEEN_MIN = 8;

interface Run {
  readonly minutes: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Measures the interval piece by piece, because it may change within a history (D76). Two equal distances in a row are an
 * interval, and the most frequent distance if there are none; distances that are longer than the ones beside them need more of
 * them to be no gaps. Entries some seconds off the hour change nothing. Empty if no two entries are at least half a minute apart.
 */
export function measurePieces(times: readonly number[]): readonly Piece[] {
  const all = runsOf(times);
  const sure = all.filter(({ count }) => count > 1);
  const runs = sure.filter(({ minutes, count }, at) => {
    const finer = [sure[at - 1], sure[at + 1]].filter(
      (run) => run !== undefined && run.minutes < minutes * (1 - OFF_BEAT),
    );
    const isBetween = finer.length === 2 && finer[0]?.minutes === finer[1]?.minutes;
    return finer.length === 0 || count >= (isBetween ? COARSER_BETWEEN_MIN : COARSER_MIN);
  });
  const found = runs.length > 0 ? runs : mostFrequent(all);
  const merged: Run[] = [];
  for (const run of found) {
    const last = merged.at(-1);
    if (last !== undefined && isNear(run.minutes, last.minutes)) merged[merged.length - 1] = { ...last, to: run.to };
    else merged.push(run);
  }
  return merged.map(({ minutes, from }, at) => ({
    interval: minutes * MINUTE_MS,
    from: at === 0 ? undefined : from,
    to:
      merged[at + 1] === undefined ? undefined : (times.findLast((time) => time < (merged[at + 1]?.from ?? 0)) ?? from),
  }));
}

const isNear = (minutes: number, other: number) => Math.abs(minutes - other) <= other * OFF_BEAT;

/** Equal distances in a row, rounded to the minute, without entries of one minute; `from` is the time at the end of the first. */
function runsOf(times: readonly number[]): readonly Run[] {
  const runs: Run[] = [];
  let before = times[0] ?? 0;
  for (const time of times) {
    const minutes = Math.round((time - before) / MINUTE_MS);
    if (minutes === 0) continue;
    before = time;
    const last = runs.at(-1);
    if (last !== undefined && isNear(minutes, last.minutes))
      runs[runs.length - 1] = { ...last, count: last.count + 1, to: time };
    else runs.push({ minutes, count: 1, from: time, to: time });
  }
  return runs;
}

function mostFrequent(runs: readonly Run[]): readonly Run[] {
  const countOf = ({ minutes }: Run) => runs.filter((other) => other.minutes === minutes).length;
  return runs.toSorted((a, b) => countOf(b) - countOf(a) || a.minutes - b.minutes).slice(0, 1);
}

/** The pieces that have entries between two times, both included. */
function piecesWithin(pieces: readonly Piece[], from: number, to: number): readonly Piece[] {
  const within = pieces.filter((piece) => (piece.from ?? from) <= to && (piece.to ?? to) >= from);
  return within.map((piece, at) => ({
    interval: piece.interval,
    from: at === 0 ? undefined : piece.from,
    to: at === within.length - 1 ? undefined : piece.to,
  }));
}

export function intervalAt(pieces: readonly Piece[], time: number): number | undefined {
  return (pieces.findLast(({ from }) => from !== undefined && from <= time) ?? pieces[0])?.interval;
}

/** A range of the period in which entries are missing. In ms. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly intervals: number;
}

/** The received and the missing entries of a period. Nothing is ever filled in. */
export interface Completeness {
  /** The intervals, oldest first; empty if fewer than two entries determine one. */
  readonly pieces: readonly Piece[];
  readonly received: number;
  /** Indexes of the entries that repeat the interval of the entry before them. */
  readonly duplicates: readonly number[];
  /** Indexes of the entries after a gap: a line breaks before them. */
  readonly breaks: ReadonlySet<number>;
  readonly gaps: readonly Stretch[];
  /** From the start of the period to the first entry, if at least an interval is missing there. */
  readonly before: Stretch | undefined;
  /** The same if the first entry is the first one of the coin: it was not listed yet, and nothing is missing. */
  readonly unlisted: Stretch | undefined;
  /** From the last entry to the end of the period, or to the time of the request. */
  readonly after: Stretch | undefined;
  /** Entries whose distance from the one before is no multiple of the interval. */
  readonly offBeat: number;
}

interface Measured {
  /** In ms, both ends included. */
  readonly period: { readonly from: number; readonly to: number };
  readonly pieces: readonly Piece[];
  /** No entry is known before the period. */
  readonly isFirst: boolean;
}

/** Checks the entries of a period, oldest first, against their intervals. */
export function measure(times: readonly number[], { period, pieces, isFirst }: Measured): Completeness {
  const duplicates: number[] = [];
  const breaks = new Set<number>();
  const gaps: Stretch[] = [];
  let offBeat = 0;
  for (let at = 1; at < times.length; at += 1) {
    const [before = 0, time = 0] = [times[at - 1], times[at]];
    // Without an interval, all entries are within half a minute of each other.
    const interval = intervalAt(pieces, time) ?? Number.POSITIVE_INFINITY;
    // A gap at a change is measured in the interval before it.
    const earlier = intervalAt(pieces, before) ?? interval;
    const beats = (time - before) / (time - before > interval * (1 + OFF_BEAT) ? earlier : interval);
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
  const start = first === undefined ? undefined : edge(period.from, first, intervalAt(pieces, first));
  return {
    pieces: first === undefined || last === undefined ? [] : piecesWithin(pieces, first, last),
    received: times.length - duplicates.length,
    duplicates,
    breaks,
    gaps,
    before: isFirst ? undefined : start,
    unlisted: isFirst ? start : undefined,
    after: last === undefined ? undefined : edge(last, period.to, intervalAt(pieces, last), OFF_BEAT),
    offBeat,
  };
}

/** With `late`, an entry is missing only when it is late by this part of an interval: clocks differ, and so do exact times. */
function edge(from: number, to: number, interval: number | undefined, late = 0): Stretch | undefined {
  const intervals = interval === undefined ? 0 : Math.max(0, Math.floor((to - from) / interval - late));
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
