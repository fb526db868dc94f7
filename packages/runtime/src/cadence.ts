/** Gaps kept: nine seconds of a coin that changes with every block, minutes of a quiet one. */
const GAPS = 128;

/** With fewer gaps than this, or a shorter time, the usual gap is unknown. */
const GAPS_MIN = 16;
const SPAN_MIN_MS = 3_000;

/** With random events of mean gap m, one gap in a million is longer than 14 m. */
const SUSPECT_FACTOR = 8;

/** No shorter gap is suspect, because the network and a busy machine cause delays too. */
const SUSPECT_MIN_MS = 1_000;

/** The usual pace of a series of events, in ms. */
export interface Usual {
  readonly usualMs: number;
  /** The series is suspect after this time without an event. */
  readonly suspectAfterMs: number;
}

/** Learns the usual gap of events: half of the time is spent in gaps no longer. Times are monotonic ms. */
export class Cadence {
  readonly #gaps: number[] = [];
  #next = 0;
  #last: number | undefined;
  #usual: Usual | undefined;
  #isFresh = true;

  record(at: number): void {
    const last = this.#last;
    this.#last = at;
    if (last === undefined) return;
    // A gap that was suspect is an outage or a new pace. It is capped at the suspect limit: one alone changes nothing, several
    // do.
    const longest = this.usual?.suspectAfterMs ?? Number.POSITIVE_INFINITY;
    this.#gaps[this.#next] = Math.min(longest, Math.max(0, at - last));
    this.#next = (this.#next + 1) % GAPS;
    this.#isFresh = false;
  }

  /** The series was interrupted: the gap before the next event is not counted. */
  interrupt(): void {
    this.#last = undefined;
  }

  /** Undefined while too little is known. */
  get usual(): Usual | undefined {
    if (!this.#isFresh) {
      this.#usual = usualOf(this.#gaps);
      this.#isFresh = true;
    }
    return this.#usual;
  }
}

function usualOf(gaps: readonly number[]): Usual | undefined {
  const span = gaps.reduce((sum, gap) => sum + gap, 0);
  if (gaps.length < GAPS_MIN || span < SPAN_MIN_MS) return undefined;
  let below = 0;
  let usualMs = 0;
  for (const gap of gaps.toSorted((a, b) => a - b)) {
    usualMs = gap;
    below += gap;
    if (below * 2 >= span) break;
  }
  return { usualMs, suspectAfterMs: Math.max(SUSPECT_MIN_MS, SUSPECT_FACTOR * usualMs) };
}
