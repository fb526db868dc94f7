/** The span over which the exchange counts. */
const WINDOW_MS = 60_000;

/** No room before the caller must have its answer. */
export class NoRoom extends Error {
  /** When there will be. */
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('the request limit is used up');
    this.name = 'NoRoom';
    this.retryAfterMs = retryAfterMs;
  }
}

export interface WeightLimiterOptions {
  /** Most weight in any 60 s. */
  readonly perMinute: number;
  /** Any clock that only rises, in ms. */
  readonly now: () => number;
  /** Runs once after `ms`; the answer takes it back. */
  readonly after: (ms: number, run: () => void) => () => void;
}

interface Use {
  readonly at: number;
  readonly weight: number;
}

interface Waiter {
  readonly weight: number;
  readonly go: () => void;
}

/**
 * Keeps the weight of calls in any 60 s within a limit (UP-4). Callers that must wait go in the order they came. What was
 * used is remembered use by use, so a burst after a quiet minute never exceeds the limit, as a bucket that refills would.
 */
export class WeightLimiter {
  readonly #options: WeightLimiterOptions;
  /** Oldest first, from `#oldest` on. */
  #uses: Use[] = [];
  #oldest = 0;
  #used = 0;
  readonly #waiting: Waiter[] = [];
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(options: WeightLimiterOptions) {
    this.#options = options;
  }

  /**
   * Resolves when there is room for `weight`, which then counts as used. Rejects with NoRoom at once when there will be
   * none before `deadline`, a time of the limiter's clock, and with the signal's reason when that aborts.
   */
  take(weight: number, deadline: number, signal: AbortSignal): Promise<void> | undefined {
    const wanted = Math.min(weight, this.#options.perMinute);
    const now = this.#options.now();
    const at = this.#roomAt(wanted, now);
    if (at <= now) {
      this.#use(wanted, now);
      return undefined;
    }
    if (at > deadline) return Promise.reject(new NoRoom(at - now));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        weight: wanted,
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason as Error);
        this.#serve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  /** Counts weight that shows only with the answer, whether there was room for it or not. */
  add(weight: number): void {
    if (weight > 0) this.#use(weight, this.#options.now());
  }

  /** Lets nobody through for a while: the exchange itself said that its limit is reached. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.now() + ms);
  }

  /** When a caller that comes now would be let through: each that waits already goes before it, as soon as uses have left. */
  #roomAt(weight: number, now: number): number {
    this.#forget(now);
    const { perMinute } = this.#options;
    let at = Math.max(now, this.#pausedUntil);
    let used = this.#used;
    if (this.#waiting.length === 0 && used + weight <= perMinute) return at;
    // Those that wait become uses in their turn, and leave after those there are.
    const coming: Use[] = [];
    let oldest = this.#oldest;
    for (const wanted of [...this.#waiting.map((waiter) => waiter.weight), weight]) {
      while (used + wanted > perMinute) {
        const use = this.#uses[oldest] ?? coming[oldest - this.#uses.length];
        if (use === undefined) break;
        used -= use.weight;
        at = Math.max(at, use.at + WINDOW_MS);
        oldest += 1;
      }
      used += wanted;
      coming.push({ at, weight: wanted });
    }
    return at;
  }

  #use(weight: number, now: number): void {
    this.#uses.push({ at: now, weight });
    this.#used += weight;
  }

  /** Drops what has left the window. */
  #forget(now: number): void {
    for (;;) {
      const use = this.#uses[this.#oldest];
      if (use === undefined || use.at + WINDOW_MS > now) break;
      this.#used -= use.weight;
      this.#oldest += 1;
    }
    if (this.#oldest > this.#uses.length / 2) {
      this.#uses = this.#uses.slice(this.#oldest);
      this.#oldest = 0;
    }
  }

  /** Lets through whoever has room, and comes back when the next one has: the oldest use then leaves the window. */
  #serve(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const now = this.#options.now();
    this.#forget(now);
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const oldest = this.#uses[this.#oldest];
      if (this.#pausedUntil <= now && (oldest === undefined || this.#used + next.weight <= this.#options.perMinute)) {
        this.#waiting.shift();
        this.#use(next.weight, now);
        next.go();
        continue;
      }
      const at = Math.max(this.#pausedUntil, oldest === undefined ? now : oldest.at + WINDOW_MS);
      const wait = this.#pausedUntil > now ? this.#pausedUntil - now : at - now;
      this.#cancelTimer = this.#options.after(Math.max(1, wait), () => this.#serve());
      return;
    }
  }
}
