import { type Fit, fitOf, SharedCapacity, type User } from './shared-capacity.ts';

/** The window over which the exchange counts weight. */
const WINDOW_MS = 60_000;

/** Weight used at a point in time. It counts until it leaves the window. */
export interface WeightUse {
  readonly at: number;
  readonly user: User;
  readonly weight: number;
}

/**
 * The weight of all calls in the last 60 s, within a limit (UP-4). Each use is stored, so a burst after a quiet minute
 * never exceeds the limit, as it could with a refilling token bucket. Times come from any monotonic clock, in ms.
 */
export class WeightWindow {
  readonly #capacity: SharedCapacity;
  /** Oldest first, from `#oldest` on. */
  #uses: WeightUse[] = [];
  #oldest = 0;

  constructor(perMinute: number) {
    this.#capacity = new SharedCapacity(perMinute);
  }

  get used(): number {
    return this.#capacity.used;
  }

  usedBy(user: User): number {
    return this.#capacity.usedBy(user);
  }

  /** Reserves weight for the service's own calls. */
  reserve(weight: number): void {
    this.#capacity.reserve(weight);
  }

  /** When the oldest use leaves the window; undefined if there are no uses. */
  get nextRoomAt(): number | undefined {
    const oldest = this.#uses[this.#oldest];
    return oldest === undefined ? undefined : oldest.at + WINDOW_MS;
  }

  fit(user: User, weight: number): Fit {
    return this.#capacity.fit(user, this.#possible(user, weight));
  }

  /** Counts weight as used, whether it fits or not. */
  use(user: User, weight: number, now: number): WeightUse {
    const use = { at: now, user, weight: this.#possible(user, weight) };
    this.#uses.push(use);
    this.#capacity.add(user, use.weight);
    return use;
  }

  /** Lowers a use to its actual weight, unless it has left the window. */
  reduce(use: WeightUse, weight: number): void {
    const place = this.#uses.lastIndexOf(use);
    if (place < this.#oldest || weight >= use.weight) return;
    this.#uses[place] = { ...use, weight };
    this.#capacity.add(use.user, weight - use.weight);
  }

  /** Drops uses that have left the window. */
  forget(now: number): void {
    for (;;) {
      const use = this.#uses[this.#oldest];
      if (use === undefined || use.at + WINDOW_MS > now) break;
      this.#capacity.add(use.user, -use.weight);
      this.#oldest += 1;
    }
    if (this.#oldest > this.#uses.length / 2) {
      this.#uses = this.#uses.slice(this.#oldest);
      this.#oldest = 0;
    }
  }

  /**
   * The earliest time, not before `from`, by which a user can have used all these weights in order. Other waiting users
   * can only delay it.
   */
  earliest(user: User, weights: readonly number[], from: number): number {
    let { free, mine } = this.#capacity.room(user);
    let at = from;
    let oldest = this.#oldest;
    // Planned uses leave the window after the existing ones.
    const coming: WeightUse[] = [];
    for (const wanted of weights) {
      const weight = this.#possible(user, wanted);
      while (fitOf({ free, mine }, weight) !== 'fits') {
        const use = this.#uses[oldest] ?? coming[oldest - this.#uses.length];
        if (use === undefined) break;
        oldest += 1;
        at = Math.max(at, use.at + WINDOW_MS);
        free += use.weight;
        if (mine !== undefined && use.user === user) mine -= use.weight;
      }
      free -= weight;
      if (mine !== undefined) mine += weight;
      coming.push({ at, user, weight });
    }
    return at;
  }

  /** Caps the weight of a query at the most that the user can ever get. */
  #possible(user: User, weight: number): number {
    return Math.min(weight, this.#capacity.mostOf(user));
  }
}
