import type { Units } from '@l4desk/book';
import type { Side } from '@l4desk/protocol';
import { isNothing, levelJson, minus, plus, type Scales } from './levels.ts';

interface Level {
  readonly px: Units;
  sz: Units;
  n: number;
  /** The level's JSON; null if it changed since it was last written. */
  text: string | null;
}

/** The difference of a level's size and order count; both may be negative. */
export interface Gain {
  readonly sz: Units;
  readonly n: number;
}

/** The JSON of the `limit` best levels; null if one of them changed since it was last written. */
interface Shown {
  readonly limit: number;
  text: string | null;
}

/**
 * The levels of one side, or their groups, in order. Each caches its JSON, and the JSON of the best ones is rebuilt only after
 * one of them changed.
 */
export class LevelTexts {
  readonly #scales: Scales;
  /** 1 for bids, -1 for asks. A level's key is its price times this, so that greater keys are better. */
  readonly #sign: 1 | -1;
  /** Worst first: most changes are near the best price, so few entries move. */
  readonly #keys: Units[] = [];
  /** The level of each key, at the same index. */
  readonly #levels: Level[] = [];
  readonly #shown: Shown[] = [];

  constructor(side: Side, scales: Scales) {
    this.#sign = side === 'B' ? 1 : -1;
    this.#scales = scales;
  }

  /** Sets the size and order count at a price. Returns the difference, or undefined if nothing changed. */
  set(px: Units, sz: Units, n: number): Gain | undefined {
    const index = this.#indexOf(px);
    const level = this.#levels[index];
    const known = level !== undefined && level.px === px;
    // A level without size counts no orders.
    const orders = isNothing(sz) ? 0 : n;
    if (known ? level.sz === sz && level.n === orders : orders === 0) return undefined;
    const gain = known ? { sz: minus(sz, level.sz), n: orders - level.n } : { sz, n: orders };
    this.#put(index, px, sz, orders);
    return gain;
  }

  /** Adds a difference to the group at a price. */
  add(px: Units, gain: Gain): void {
    const index = this.#indexOf(px);
    const level = this.#levels[index];
    if (level !== undefined && level.px === px) this.#put(index, px, plus(level.sz, gain.sz), level.n + gain.n);
    else this.#put(index, px, gain.sz, gain.n);
  }

  /** Calls `visit` with each level. */
  each(visit: (px: Units, gain: Gain) => void): void {
    for (const { px, sz, n } of this.#levels) visit(px, { sz, n });
  }

  /** Returns the JSON of the best levels, best first, without brackets. */
  json(limit: number): string {
    let shown = this.#shown.find((other) => other.limit === limit);
    if (shown === undefined) {
      shown = { limit, text: null };
      this.#shown.push(shown);
    }
    shown.text ??= this.#written(limit);
    return shown.text;
  }

  #written(limit: number): string {
    const levels = this.#levels;
    const end = Math.max(0, levels.length - limit);
    let text = '';
    for (let index = levels.length - 1; index >= end; index -= 1) {
      const level = levels[index] as Level;
      level.text ??= levelJson(level.px, level.sz, level.n, this.#scales);
      text += text === '' ? level.text : `,${level.text}`;
    }
    return text;
  }

  #put(index: number, px: Units, sz: Units, n: number): void {
    const levels = this.#levels;
    const level = levels[index];
    const known = level !== undefined && level.px === px;
    const better = levels.length - index - (known ? 1 : 0);
    for (const shown of this.#shown) if (better < shown.limit) shown.text = null;
    if (!known) {
      levels.splice(index, 0, { px, sz, n, text: null });
      this.#keys.splice(index, 0, this.#keyOf(px));
    } else if (n === 0) {
      levels.splice(index, 1);
      this.#keys.splice(index, 1);
    } else {
      level.sz = sz;
      level.n = n;
      level.text = null;
    }
  }

  /** Index of the worst level that is not worse than this price. */
  #indexOf(px: Units): number {
    const keys = this.#keys;
    const key = this.#keyOf(px);
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as Units) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #keyOf(px: Units): Units {
    return this.#sign === 1 ? px : -px;
  }
}
