import { EVENT_SECONDS } from './messages.ts';

/** The rate is that of at most this many of the last seconds. */
const RATE_SECONDS = 10;

export class EventCounts {
  readonly #counts = new Uint32Array(EVENT_SECONDS);
  /** The second, since the Unix epoch, of the newest count. */
  #second = 0;
  /** The second from which on every change was counted, except for the part before the start. */
  #startSecond = Number.POSITIVE_INFINITY;

  /** Changes are counted without a gap from now on. */
  start(now: number): void {
    this.#advance(now);
    this.#startSecond = this.#second;
  }

  add(now: number, count: number): void {
    this.#advance(now);
    const at = this.#second % EVENT_SECONDS;
    this.#counts[at] = (this.#counts[at] ?? 0) + count;
  }

  /** The counts of the complete seconds before this one, the newest last. */
  read(now: number): readonly number[] {
    this.#advance(now);
    return Array.from({ length: EVENT_SECONDS - 1 }, (_, place) => {
      const second = this.#second - (EVENT_SECONDS - 1) + place;
      return this.#counts[((second % EVENT_SECONDS) + EVENT_SECONDS) % EVENT_SECONDS] ?? 0;
    });
  }

  /** Changes per second over those of the last ten complete seconds that are known; null before the first one. */
  rate(now: number): number | null {
    const counts = this.read(now);
    const known = Math.min(RATE_SECONDS, this.#second - this.#startSecond - 1);
    return known < 1 ? null : counts.slice(-known).reduce((sum, count) => sum + count, 0) / known;
  }

  /** Clears the seconds that passed since; after the clock was set back it stays at the later second. */
  #advance(now: number): void {
    const second = Math.max(this.#second, Math.floor(now / 1_000));
    const passed = Math.min(EVENT_SECONDS, second - this.#second);
    for (let step = 0; step < passed; step += 1) this.#counts[(second - step) % EVENT_SECONDS] = 0;
    this.#second = second;
  }
}
