import type { Units } from '@l4desk/book';
import type { Side } from '@l4desk/protocol';
import { isNothing, levelJson, minus, plus, type Scales } from './levels.ts';

interface Level {
  readonly px: Units;
  sz: Units;
  n: number;
  /** As it is listed; null since it changed. */
  text: string | null;
}

/** What a level gained; both may be negative. */
export interface Gain {
  readonly sz: Units;
  readonly n: number;
}

/** So many best levels as they are listed; null since one of them changed. */
interface Shown {
  readonly limit: number;
  text: string | null;
}

/**
 * The levels of one side, or their groups, in order: each knows its text, and the text of the best ones is rebuilt only
 * after one of them changed.
 */
export class LevelList {
  readonly #scales: Scales;
  /** 1 for bids, -1 for asks: a level's key is its price times this, so that greater keys are better. */
  readonly #sign: 1 | -1;
  /** Worst first: most changes are near the best, and move little there. */
  readonly #keys: Units[] = [];
  /** The level of each key, at the same place. */
  readonly #levels: Level[] = [];
  readonly #shown: Shown[] = [];

  constructor(side: Side, scales: Scales) {
    this.#sign = side === 'B' ? 1 : -1;
    this.#scales = scales;
  }

  /** The level at this price now holds this; returns what it gained, undefined when it held the same. */
  set(px: Units, sz: Units, n: number): Gain | undefined {
    const place = this.#placeOf(px);
    const level = this.#levels[place];
    const known = level !== undefined && level.px === px;
    // Its orders count from the moment on that something rests.
    const orders = isNothing(sz) ? 0 : n;
    if (known ? level.sz === sz && level.n === orders : orders === 0) return undefined;
    const gain = known ? { sz: minus(sz, level.sz), n: orders - level.n } : { sz, n: orders };
    this.#put(place, px, sz, orders);
    return gain;
  }

  /** The group at this price gained this size. */
  add(px: Units, gain: Gain): void {
    const place = this.#placeOf(px);
    const level = this.#levels[place];
    if (level !== undefined && level.px === px) this.#put(place, px, plus(level.sz, gain.sz), level.n + gain.n);
    else this.#put(place, px, gain.sz, gain.n);
  }

  /** Calls back with each level. */
  each(visit: (px: Units, gain: Gain) => void): void {
    for (const { px, sz, n } of this.#levels) visit(px, { sz, n });
  }

  /** The JSON of the best levels, best first, without brackets. */
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
    for (let place = levels.length - 1; place >= end; place -= 1) {
      const level = levels[place] as Level;
      level.text ??= levelJson(level.px, level.sz, level.n, this.#scales);
      text += text === '' ? level.text : `,${level.text}`;
    }
    return text;
  }

  #put(place: number, px: Units, sz: Units, n: number): void {
    const levels = this.#levels;
    const level = levels[place];
    const known = level !== undefined && level.px === px;
    const better = levels.length - place - (known ? 1 : 0);
    for (const shown of this.#shown) if (better < shown.limit) shown.text = null;
    if (!known) {
      levels.splice(place, 0, { px, sz, n, text: null });
      this.#keys.splice(place, 0, this.#keyOf(px));
    } else if (n === 0) {
      levels.splice(place, 1);
      this.#keys.splice(place, 1);
    } else {
      level.sz = sz;
      level.n = n;
      level.text = null;
    }
  }

  /** The place of the worst level that is not worse than this price. */
  #placeOf(px: Units): number {
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
