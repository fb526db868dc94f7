import type { Side } from '@l4desk/protocol';
import type { Level, Order } from './order.ts';

/** One side of a coin's book: its levels by price, best one first. */
export class BookSide {
  readonly side: Side;
  readonly #levelAt = new Map<number, Level>();
  /** From worst to best price, because almost all changes happen at the best end. */
  readonly #levels: Level[] = [];
  #count = 0;

  constructor(side: Side) {
    this.side = side;
  }

  get orderCount(): number {
    return this.#count;
  }

  get levelCount(): number {
    return this.#levels.length;
  }

  best(): Level | undefined {
    return this.#levels[this.#levels.length - 1];
  }

  /** True if an order of the other side at `px` would trade with the best level. */
  isCrossedBy(px: number): boolean {
    const best = this.best();
    return best !== undefined && (this.side === 'A' ? px >= best.px : px <= best.px);
  }

  /** Returns the level at `px` and creates it if needed. A new level is empty, so the caller must fill it at once. */
  ensureLevel(px: number): Level {
    const known = this.#levelAt.get(px);
    if (known !== undefined) return known;
    const level: Level = { px, lots: 0, count: 0, first: null, last: null, firstPlain: null };
    this.#levelAt.set(px, level);
    const best = this.best();
    const isBest = best === undefined || (this.side === 'B' ? px > best.px : px < best.px);
    if (isBest) this.#levels.push(level);
    else this.#levels.splice(this.#placeOf(px), 0, level);
    return level;
  }

  /** Adds the order to its queue. Returns the oid of the order directly behind it, or null at the back of the queue. */
  insert(order: Order): number | null {
    const level = this.ensureLevel(order.px);
    const behind = order.priority ? level.firstPlain : null;
    const ahead = behind === null ? level.last : behind.ahead;
    order.level = level;
    order.ahead = ahead;
    order.behind = behind;
    if (ahead === null) level.first = order;
    else ahead.behind = order;
    if (behind === null) level.last = order;
    else behind.ahead = order;
    if (!order.priority && level.firstPlain === null) level.firstPlain = order;
    level.count += 1;
    level.lots += order.lots;
    this.#count += 1;
    return behind === null ? null : behind.oid;
  }

  /** Takes `lots` off a resting order, which keeps its place. */
  reduce(order: Order, lots: number): void {
    order.lots -= lots;
    levelOf(order).lots -= lots;
  }

  remove(order: Order): void {
    const level = levelOf(order);
    if (order.ahead === null) level.first = order.behind;
    else order.ahead.behind = order.behind;
    if (order.behind === null) level.last = order.ahead;
    else order.behind.ahead = order.ahead;
    if (level.firstPlain === order) level.firstPlain = order.behind;
    level.count -= 1;
    level.lots -= order.lots;
    this.#count -= 1;
    order.level = null;
    order.ahead = null;
    order.behind = null;
    if (level.count > 0) return;
    this.#levelAt.delete(level.px);
    if (level === this.best()) this.#levels.pop();
    else this.#levels.splice(this.#placeOf(level.px), 1);
  }

  /** Levels, best price first. */
  *levels(): Generator<Level> {
    for (let i = this.#levels.length - 1; i >= 0; i -= 1) yield this.#levels[i] as Level;
  }

  /** Orders, best price first, each level in queue order. */
  *orders(): Generator<Order> {
    for (const level of this.levels()) {
      for (let order = level.first; order !== null; order = order.behind) yield order;
    }
  }

  /** The index in the array of levels at which `px` is or belongs. */
  #placeOf(px: number): number {
    const rising = this.side === 'B';
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = (this.#levels[middle] as Level).px;
      if (rising ? there < px : there > px) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function levelOf(order: Order): Level {
  if (order.level === null) throw new Error(`order ${order.oid} does not rest`);
  return order.level;
}
