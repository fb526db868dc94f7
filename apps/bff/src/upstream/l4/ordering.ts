/** All that was said about one height, by coin. */
export interface OrderedHeight<T> {
  readonly height: number;
  readonly items: ReadonlyMap<string, T>;
  /** When its first message arrived. */
  readonly firstAt: number;
}

export interface OrderingSettings {
  /** How long a missing height is waited for, in ms (UP-9). */
  readonly reorderMs: number;
  /** How long after its last sign of life a height counts as complete without a coin that is often quiet, in ms. */
  readonly settleMs: number;
  /** The same without a coin that speaks of most heights: its message is more likely late than missing. */
  readonly activeSettleMs: number;
}

interface Group<T> {
  readonly height: number;
  readonly items: Map<string, T>;
  readonly firstAt: number;
  lastAt: number;
  /** A message of another height came after: the upstream sends a height's coins one after the other, so it is complete. */
  closed: boolean;
}

/** Share of the last heights that a coin spoke of: how fast it follows, where it starts, and from where a coin is active. */
const SHARE_STEP = 1 / 16;
const SHARE_START = 1;
const ACTIVE_SHARE = 0.5;

/**
 * Puts messages of several coins into blocks of rising height. The upstream sends the coins of one height one after the
 * other, says nothing of a coin that was quiet, and may swap adjacent heights. A height is released once every height
 * before it is settled (released, or missing for `reorderMs`) and it is complete itself: every expected coin spoke, or
 * another height followed, or nothing more came for a while. Time is handed in; nothing happens by itself.
 */
export class BlockOrdering<T> {
  readonly #settings: OrderingSettings;
  readonly #groups = new Map<number, Group<T>>();
  /** Share of heights each expected coin spoke of lately. */
  readonly #shares = new Map<string, number>();
  #current: Group<T> | null = null;
  #released: number | null = null;

  constructor(settings: OrderingSettings) {
    this.#settings = settings;
  }

  /** The height up to which everything is settled, null before the start. */
  get released(): number | null {
    return this.#released;
  }

  /** Forgets what is pending and everything before; whatever comes first starts anew. */
  reset(): void {
    this.#groups.clear();
    this.#current = null;
    this.#released = null;
  }

  /** Settles everything up to `height` without waiting; answers what was pending there, lowest first. */
  skipTo(height: number): readonly OrderedHeight<T>[] {
    const passed = [...this.#groups.values()].filter((group) => group.height <= height);
    for (const group of passed) this.#drop(group);
    this.#released = Math.max(height, this.#released ?? height);
    return passed.sort((a, b) => a.height - b.height);
  }

  /**
   * Takes in what one coin did at one height. `late`: the height is settled already. `repeat`: the coin spoke of this
   * height before; the first word counts.
   */
  push(coin: string, height: number, item: T, now: number): 'kept' | 'late' | 'repeat' {
    if (this.#current !== null && this.#current.height !== height) this.#current.closed = true;
    if (this.#released !== null && height <= this.#released) {
      this.#current = null;
      return 'late';
    }
    let group = this.#groups.get(height);
    if (group === undefined) {
      group = { height, items: new Map(), firstAt: now, lastAt: now, closed: false };
      this.#groups.set(height, group);
    }
    this.#current = group;
    group.lastAt = now;
    if (group.items.has(coin)) return 'repeat';
    group.items.set(coin, item);
    return 'kept';
  }

  /** Bytes are arriving: more of the current height may be among them, so it does not settle yet. */
  touch(now: number): void {
    if (this.#current !== null) this.#current.lastAt = now;
  }

  /** The next complete height, or null while there is none. `expected` holds the coins that are followed live. */
  take(expected: ReadonlySet<string>, now: number): OrderedHeight<T> | null {
    const group = this.#lowest();
    if (group === null || this.#holeUntil(group) > now || this.#completeAt(group, expected) > now) return null;
    this.#drop(group);
    this.#released = group.height;
    this.#learn(group, expected);
    return group;
  }

  /** When `take` may next answer something if no message comes, or null when only a message can help. */
  wakeAt(expected: ReadonlySet<string>): number | null {
    const group = this.#lowest();
    return group === null ? null : Math.max(this.#holeUntil(group), this.#completeAt(group, expected));
  }

  #drop(group: Group<T>): void {
    this.#groups.delete(group.height);
    if (this.#current === group) this.#current = null;
  }

  #lowest(): Group<T> | null {
    let lowest: Group<T> | null = null;
    for (const group of this.#groups.values()) if (lowest === null || group.height < lowest.height) lowest = group;
    return lowest;
  }

  /** Until when a height missing below this group may still come. Every group here is above that hole. */
  #holeUntil(group: Group<T>): number {
    if (this.#released === null || group.height === this.#released + 1) return Number.NEGATIVE_INFINITY;
    let firstAt = group.firstAt;
    for (const other of this.#groups.values()) firstAt = Math.min(firstAt, other.firstAt);
    return firstAt + this.#settings.reorderMs;
  }

  #completeAt(group: Group<T>, expected: ReadonlySet<string>): number {
    if (group.closed) return Number.NEGATIVE_INFINITY;
    let waitMs = Number.NEGATIVE_INFINITY;
    for (const coin of expected) {
      // A later height of this coin proves nothing: with two heights swapped, this one may still come.
      if (!group.items.has(coin)) waitMs = Math.max(waitMs, this.#settleMs(coin));
    }
    return group.lastAt + waitMs;
  }

  #settleMs(coin: string): number {
    const { settleMs, activeSettleMs } = this.#settings;
    return (this.#shares.get(coin) ?? SHARE_START) >= ACTIVE_SHARE ? activeSettleMs : settleMs;
  }

  #learn({ items }: Group<T>, expected: ReadonlySet<string>): void {
    for (const coin of this.#shares.keys()) if (!expected.has(coin)) this.#shares.delete(coin);
    for (const coin of expected) {
      const share = this.#shares.get(coin) ?? SHARE_START;
      this.#shares.set(coin, share + ((items.has(coin) ? 1 : 0) - share) * SHARE_STEP);
    }
  }
}
