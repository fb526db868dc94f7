/** All messages about one height, by coin. */
export interface OrderedHeight<T> {
  readonly height: number;
  readonly items: ReadonlyMap<string, T>;
  /** When the height's first message arrived. */
  readonly firstAt: number;
}

export interface OrderingSettings {
  /** How long to wait for a missing height, in ms (UP-9). */
  readonly reorderMs: number;
  /**
   * How long after its last message (or arriving bytes) a height counts as complete without a coin that is often quiet, in ms.
   */
  readonly settleMs: number;
  /** The same for a coin that has a message at most heights: its message is more likely late than missing. */
  readonly activeSettleMs: number;
  /** The same while an earlier block of one of its coins may follow, the two having been swapped. */
  readonly swapMs: number;
}

interface Group<T> {
  readonly height: number;
  readonly items: Map<string, T>;
  readonly firstAt: number;
  lastAt: number;
  /**
   * A message of a greater height followed. The upstream sends a height's coins one after the other, so this height is complete.
   */
  closed: boolean;
  /** Coins without a message at an earlier height: if the two were swapped, that message follows right behind (UP-22). */
  readonly skipping: Set<string>;
}

/**
 * Result of `push`: the message is kept, it arrived after its height was settled, or its coin already had a block of that height.
 */
export type Pushed<T> =
  | { readonly kind: 'kept' }
  /** `isOver`: a greater height was first seen at least `reorderMs` ago, so the wait for this one is over. */
  | { readonly kind: 'late'; readonly isOver: boolean }
  | { readonly kind: 'repeat'; readonly first: T };

/**
 * Share of recent heights in which a coin had a block: learning rate, initial value, and the share from which a coin is active.
 */
const SHARE_STEP = 1 / 16;
const SHARE_START = 1;
const ACTIVE_SHARE = 0.5;

/**
 * Assembles the messages of several coins into blocks of increasing height. The upstream sends the coins of one height one after
 * the other, sends nothing for a quiet coin, and may swap adjacent heights. A height is released once every height before it is
 * settled (released, or missing for `reorderMs`) and it is complete itself: every expected coin has a message, or a greater
 * height followed, or nothing more arrived for a while. The caller passes time in; the class has no timers.
 */
export class BlockOrdering<T> {
  readonly #settings: OrderingSettings;
  readonly #groups = new Map<number, Group<T>>();
  /** Share of recent heights in which each expected coin had a message. */
  readonly #shares = new Map<string, number>();
  /** The greatest height of each coin's messages, or the height from which it is followed. */
  readonly #spoke = new Map<string, number>();
  /** Recently released heights, and when each was first seen. */
  #lately: { readonly height: number; readonly firstAt: number }[] = [];
  /** The wait is over for this height and all heights below it. */
  #over = Number.NEGATIVE_INFINITY;
  /** When everything that had arrived was last known to be pushed. What is pushed later may have arrived at any time since. */
  #pushedUntil = Number.NEGATIVE_INFINITY;
  #current: Group<T> | null = null;
  #released: number | null = null;

  constructor(settings: OrderingSettings) {
    this.#settings = settings;
  }

  /** The height up to which everything is settled; null before the start. */
  get released(): number | null {
    return this.#released;
  }

  /** Drops everything pending and settled; the next message starts afresh. */
  reset(): void {
    this.#groups.clear();
    this.#spoke.clear();
    this.#lately = [];
    this.#over = Number.NEGATIVE_INFINITY;
    this.#current = null;
    this.#released = null;
  }

  /** Settles everything up to `height` without waiting. Returns what was pending there, lowest height first. */
  skipTo(height: number): readonly OrderedHeight<T>[] {
    const passed = [...this.#groups.values()].filter((group) => group.height <= height);
    for (const group of passed) this.#drop(group);
    this.#released = Math.max(height, this.#released ?? height);
    this.#over = Math.max(height, this.#over);
    return passed.sort((a, b) => a.height - b.height);
  }

  /** Follows the coin from here on: everything about it up to this height is known. */
  follow(coin: string, height: number): void {
    this.#spoke.set(coin, height);
  }

  /** Adds one coin's message about one height. Of two messages about one height the first counts. */
  push(coin: string, height: number, item: T, now: number): Pushed<T> {
    for (const group of this.#groups.values()) {
      // A repeated or late height does not show that a greater height being sent is complete.
      if (group.height < height) group.closed = true;
      // This is the missing message or a further one of the coin, so the coin's other heights no longer wait for it.
      if (group.height !== height) group.skipping.delete(coin);
    }
    const spoke = this.#spoke.get(coin);
    if (spoke === undefined || height > spoke) this.#spoke.set(coin, height);
    if (this.#released !== null && height <= this.#released) return { kind: 'late', isOver: height <= this.#over };
    let group = this.#groups.get(height);
    if (group === undefined) {
      group = { height, items: new Map(), firstAt: now, lastAt: now, closed: false, skipping: new Set() };
      this.#groups.set(height, group);
    }
    this.#current = group;
    group.lastAt = now;
    const first = group.items.get(coin);
    if (first !== undefined) return { kind: 'repeat', first };
    group.items.set(coin, item);
    if (spoke !== undefined && this.#isKnownBetween(spoke, height)) group.skipping.add(coin);
    return { kind: 'kept' };
  }

  /** Bytes are arriving that may belong to the current height, so it does not settle yet. */
  touch(now: number): void {
    if (this.#current !== null) this.#current.lastAt = now;
  }

  /**
   * Returns the next complete height, or null while there is none. `expected` contains the coins that are followed live. Call it
   * only when everything that has arrived was pushed.
   */
  take(expected: ReadonlySet<string>, now: number): OrderedHeight<T> | null {
    this.#pushedUntil = now;
    this.#forgetOver();
    const group = this.#lowest();
    if (group === null || this.#holeUntil(group) > now || this.#completeAt(group, expected) > now) return null;
    this.#drop(group);
    this.#released = group.height;
    this.#lately.push({ height: group.height, firstAt: group.firstAt });
    this.#learn(group, expected);
    return group;
  }

  /** When `take` may next return something without a further message; null if a message is needed. */
  wakeAt(expected: ReadonlySet<string>): number | null {
    const group = this.#lowest();
    return group === null ? null : Math.max(this.#holeUntil(group), this.#completeAt(group, expected));
  }

  /** When `take` must be called so that the next wait for a settled height ends in time; null if none is running. */
  waitEndsAt(): number | null {
    const [next] = this.#lately;
    return next === undefined ? null : next.firstAt + this.#settings.reorderMs;
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

  /** Ends waits: a height ends the wait for those below it `reorderMs` after it was first seen. */
  #forgetOver(): void {
    const endsWait = ({ firstAt }: { readonly firstAt: number }) =>
      firstAt + this.#settings.reorderMs <= this.#pushedUntil;
    for (const { height } of this.#lately.filter(endsWait)) this.#over = Math.max(this.#over, height - 1);
    this.#lately = this.#lately.filter((heard) => !endsWait(heard));
  }

  /** Whether any coin has a message about a height between these two. */
  #isKnownBetween(low: number, high: number): boolean {
    if (this.#released !== null && this.#released > low && this.#released < high) return true;
    for (const group of this.#groups.values()) if (group.height > low && group.height < high) return true;
    return false;
  }

  /** Until when a height missing below this group may still arrive. Every pending group is above that hole. */
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
      // A later height of this coin proves nothing: if the two were swapped, this one may still arrive.
      if (!group.items.has(coin)) waitMs = Math.max(waitMs, this.#settleMs(coin));
      else if (group.skipping.has(coin)) waitMs = Math.max(waitMs, this.#settings.swapMs);
    }
    return group.lastAt + waitMs;
  }

  #settleMs(coin: string): number {
    const { settleMs, activeSettleMs } = this.#settings;
    return (this.#shares.get(coin) ?? SHARE_START) >= ACTIVE_SHARE ? activeSettleMs : settleMs;
  }

  #learn({ items }: Group<T>, expected: ReadonlySet<string>): void {
    for (const of of [this.#shares, this.#spoke])
      for (const coin of of.keys()) if (!expected.has(coin)) of.delete(coin);
    for (const coin of expected) {
      const share = this.#shares.get(coin) ?? SHARE_START;
      this.#shares.set(coin, share + ((items.has(coin) ? 1 : 0) - share) * SHARE_STEP);
    }
  }
}
