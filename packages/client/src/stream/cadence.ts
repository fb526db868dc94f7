/** Gaps that are remembered: nine seconds of a coin that changes with every block, minutes of a quiet one. */
const GAPS = 128;

/** Fewer gaps than this, or a shorter time, say nothing of what is usual. */
const GAPS_MIN = 16;
const SPAN_MIN_MS = 3_000;

/** So many times the usual gap is suspect. Of events at random (mean gap m) one gap in a million is longer than 14 m. */
const SUSPECT_FACTOR = 8;

/** No shorter gap is suspect: the network and a busy machine take their time too. */
const SUSPECT_MIN_MS = 1_000;

/** What is usual of a series of events, in ms. */
export interface Usual {
  readonly usualMs: number;
  /** Without an event for longer than this the series is suspect. */
  readonly suspectAfterMs: number;
}

/**
 * How often something comes. The usual gap is the one that half of the time was spent in gaps no longer than: of a steady
 * series that is its period, of one that comes in bursts the time between them. Times are ms of any clock that rises.
 */
export class Cadence {
  readonly #gaps: number[] = [];
  #next = 0;
  #last: number | undefined;
  #usual: Usual | undefined;
  #isFresh = true;

  /** Something came. */
  record(at: number): void {
    const last = this.#last;
    this.#last = at;
    if (last === undefined) return;
    // A gap that was suspect is an outage or a new pace: cut to what was suspect, one alone moves nothing, several do.
    const longest = this.usual?.suspectAfterMs ?? Number.POSITIVE_INFINITY;
    this.#gaps[this.#next] = Math.min(longest, Math.max(0, at - last));
    this.#next = (this.#next + 1) % GAPS;
    this.#isFresh = false;
  }

  /** What comes next does not tell how long it took: the series was interrupted. */
  interrupt(): void {
    this.#last = undefined;
  }

  /** When something last came; undefined before the first and after an interruption. */
  get lastAt(): number | undefined {
    return this.#last;
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
