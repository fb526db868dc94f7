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
  /** How long after its last message, or arriving bytes, a height counts as complete although a message may be missing, in ms. */
  readonly settleMs: number;
}

interface Group<T> {
  readonly height: number;
  readonly items: Map<string, T>;
  readonly firstAt: number;
  lastAt: number;
  /** A message of a greater height followed, so this height is complete. */
  closed: boolean;
}

/** Result of `push`: kept, arrived after its height was settled, or a second block of its coin and height. */
export type Pushed<T> =
  | { readonly kind: 'kept' }
  /** `isOver`: a greater height was first seen at least `reorderMs` ago, so the wait for this one is over. */
  | { readonly kind: 'late'; readonly isOver: boolean }
  | { readonly kind: 'repeat'; readonly first: T };

/**
 * Assembles messages into blocks of increasing height. A height is released once every height before it is settled
 * (released, or missing for `reorderMs`) and it is complete: a greater one followed, nothing more arrived for
 * `settleMs`, or nothing can be missing. The caller passes time in.
 */
export class BlockOrdering<T> {
  readonly #settings: OrderingSettings;
  readonly #groups = new Map<number, Group<T>>();
  /** The greatest settled height of each coin's messages, or the height from which it is followed. */
  readonly #lastHeights = new Map<string, number>();
  /** Released heights whose wait is not over, and when each was first seen. */
  #recent: { readonly height: number; readonly firstAt: number }[] = [];
  /** The wait is over for this height and all heights below it. */
  #over = Number.NEGATIVE_INFINITY;
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
    this.#lastHeights.clear();
    this.#recent = [];
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
    this.#lastHeights.set(coin, height);
  }

  forget(coin: string): void {
    this.#lastHeights.delete(coin);
  }

  /** Adds one coin's message about one height. Of two messages about one height the first counts. */
  push(coin: string, height: number, item: T, now: number): Pushed<T> {
    // A repeated or late height does not show that a greater height being sent is complete.
    for (const group of this.#groups.values()) if (group.height < height) group.closed = true;
    if (this.#released !== null && height <= this.#released) {
      this.#recordHeight(coin, height);
      return { kind: 'late', isOver: height <= this.#over };
    }
    let group = this.#groups.get(height);
    if (group === undefined) {
      group = { height, items: new Map(), firstAt: now, lastAt: now, closed: false };
      this.#groups.set(height, group);
    }
    this.#current = group;
    group.lastAt = now;
    const first = group.items.get(coin);
    if (first !== undefined) return { kind: 'repeat', first };
    group.items.set(coin, item);
    return { kind: 'kept' };
  }

  /** Bytes are arriving that may belong to the current height, so it does not settle yet. */
  touch(now: number): void {
    if (this.#current !== null) this.#current.lastAt = now;
  }

  /** Returns the next complete height, or null. Everything that has arrived must have been pushed before. */
  take(expected: ReadonlySet<string>, now: number): OrderedHeight<T> | null {
    this.#endWaits(now);
    const group = this.#lowest();
    if (group === null || this.#readyAt(group, expected) > now) return null;
    this.#drop(group);
    this.#released = group.height;
    this.#recent.push({ height: group.height, firstAt: group.firstAt });
    for (const coin of group.items.keys()) this.#recordHeight(coin, group.height);
    return group;
  }

  /** When `take` is next due without a further message; null if a message is needed. */
  wakeAt(expected: ReadonlySet<string>): number | null {
    const group = this.#lowest();
    const [next] = this.#recent;
    const due = next === undefined ? Number.POSITIVE_INFINITY : next.firstAt + this.#settings.reorderMs;
    const at = Math.min(due, group === null ? due : this.#readyAt(group, expected));
    return at === Number.POSITIVE_INFINITY ? null : at;
  }

  #recordHeight(coin: string, height: number): void {
    const before = this.#lastHeights.get(coin);
    if (before !== undefined && height > before) this.#lastHeights.set(coin, height);
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

  /** Lower heights are late for good `reorderMs` after the first message of a released height. */
  #endWaits(now: number): void {
    const isOver = ({ firstAt }: { readonly firstAt: number }) => firstAt + this.#settings.reorderMs <= now;
    for (const { height } of this.#recent.filter(isOver)) this.#over = Math.max(this.#over, height - 1);
    this.#recent = this.#recent.filter((seen) => !isOver(seen));
  }

  /** When the lowest pending height is settled and complete. */
  #readyAt(group: Group<T>, expected: ReadonlySet<string>): number {
    const { reorderMs, settleMs } = this.#settings;
    let readyAt = Number.NEGATIVE_INFINITY;
    if (this.#released !== null && group.height !== this.#released + 1) {
      // A height is missing below this one. It is waited for from the first message above it.
      let firstAt = group.firstAt;
      for (const other of this.#groups.values()) firstAt = Math.min(firstAt, other.firstAt);
      readyAt = firstAt + reorderMs;
    }
    if (!group.closed && this.#mayMiss(group, expected)) readyAt = Math.max(readyAt, group.lastAt + settleMs);
    return readyAt;
  }

  /** Whether a coin may have no message here yet, or one that was swapped with the one before (UP-22). */
  #mayMiss({ items }: Group<T>, expected: ReadonlySet<string>): boolean {
    const released = this.#released ?? Number.NEGATIVE_INFINITY;
    for (const coin of expected) {
      if (!items.has(coin) || (this.#lastHeights.get(coin) ?? released) < released) return true;
    }
    return false;
  }
}
