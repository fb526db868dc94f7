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
  /** The same while an earlier block of one of its coins may be right behind, the two having been swapped. */
  readonly swapMs: number;
}

interface Group<T> {
  readonly height: number;
  readonly items: Map<string, T>;
  readonly firstAt: number;
  lastAt: number;
  /** A message of a greater height came after: the upstream sends a height's coins one after the other, so it is complete. */
  closed: boolean;
  /** Coins that said nothing of a height before this one: with the two swapped, that message is right behind (UP-22). */
  readonly skipping: Set<string>;
}

/** The outcome of a message: it waits, or it came after its height was settled, or its coin already had a block of that height. */
export type Pushed<T> =
  | { readonly kind: 'kept' }
  /** `isOver`: a greater height was first seen `reorderMs` ago, so the wait for this one is over. */
  | { readonly kind: 'late'; readonly isOver: boolean }
  | { readonly kind: 'repeat'; readonly first: T };

/** Share of the last heights in which a coin had a block: how fast it follows, where it starts, and from where a coin is active. */
const SHARE_STEP = 1 / 16;
const SHARE_START = 1;
const ACTIVE_SHARE = 0.5;

/**
 * Puts messages of several coins into blocks of rising height. The upstream sends the coins of one height one after the
 * other, says nothing of a coin that was quiet, and may swap adjacent heights. A height is released once every height
 * before it is settled (released, or missing for `reorderMs`) and it is complete itself: every expected coin spoke, or
 * a greater height followed, or nothing more came for a while. Time is passed in; nothing happens by itself.
 */
export class BlockOrdering<T> {
  readonly #settings: OrderingSettings;
  readonly #groups = new Map<number, Group<T>>();
  /** Share of heights each expected coin spoke of lately. */
  readonly #shares = new Map<string, number>();
  /** The greatest height each coin spoke of, or was followed from. */
  readonly #spoke = new Map<string, number>();
  /** Recently released heights, and when each was first seen. */
  #lately: { readonly height: number; readonly firstAt: number }[] = [];
  /** The wait for this height and those before it is over. */
  #over = Number.NEGATIVE_INFINITY;
  /** When all that had arrived was last known to be pushed: what is pushed after it may have come at any time since. */
  #pushedUntil = Number.NEGATIVE_INFINITY;
  #current: Group<T> | null = null;
  #released: number | null = null;

  constructor(settings: OrderingSettings) {
    this.#settings = settings;
  }

  /** The height up to which everything is settled, null before the start. */
  get released(): number | null {
    return this.#released;
  }

  /** Forgets what is pending and everything before; whatever comes first starts again. */
  reset(): void {
    this.#groups.clear();
    this.#spoke.clear();
    this.#lately = [];
    this.#over = Number.NEGATIVE_INFINITY;
    this.#current = null;
    this.#released = null;
  }

  /** Settles everything up to `height` without waiting; returns what was pending there, lowest first. */
  skipTo(height: number): readonly OrderedHeight<T>[] {
    const passed = [...this.#groups.values()].filter((group) => group.height <= height);
    for (const group of passed) this.#drop(group);
    this.#released = Math.max(height, this.#released ?? height);
    this.#over = Math.max(height, this.#over);
    return passed.sort((a, b) => a.height - b.height);
  }

  /** From here on the coin is followed: everything it did up to this height is known. */
  follow(coin: string, height: number): void {
    this.#spoke.set(coin, height);
  }

  /** Takes in what one coin did at one height. Of two words on one height the first counts. */
  push(coin: string, height: number, item: T, now: number): Pushed<T> {
    for (const group of this.#groups.values()) {
      // A height that comes again, or before its turn, says nothing of a greater one that is being sent.
      if (group.height < height) group.closed = true;
      // The missing message, or a further one of the coin: the coin no longer waits at a greater height.
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

  /** Bytes are arriving: more of the current height may be among them, so it does not settle yet. */
  touch(now: number): void {
    if (this.#current !== null) this.#current.lastAt = now;
  }

  /**
   * The next complete height, or null while there is none. `expected` holds the coins that are followed live. To be asked when
   * everything that has arrived was pushed.
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

  /** When `take` may next return something if no message comes, or null when only a message can help. */
  wakeAt(expected: ReadonlySet<string>): number | null {
    const group = this.#lowest();
    return group === null ? null : Math.max(this.#holeUntil(group), this.#completeAt(group, expected));
  }

  /** When `take` is to be asked so that the next wait for a settled height ends in time, null when none is running. */
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

  /** A height ends the wait for those before it `reorderMs` after it was first seen. */
  #forgetOver(): void {
    const endsWait = ({ firstAt }: { readonly firstAt: number }) =>
      firstAt + this.#settings.reorderMs <= this.#pushedUntil;
    for (const { height } of this.#lately.filter(endsWait)) this.#over = Math.max(this.#over, height - 1);
    this.#lately = this.#lately.filter((heard) => !endsWait(heard));
  }

  /** Whether any coin spoke of a height between these two. */
  #isKnownBetween(low: number, high: number): boolean {
    if (this.#released !== null && this.#released > low && this.#released < high) return true;
    for (const group of this.#groups.values()) if (group.height > low && group.height < high) return true;
    return false;
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
