import type { Side } from '@l4desk/protocol';
import { LevelIndex } from './level-index.ts';
import { NONE } from './order-store.ts';

/** One side's levels in order, and its sums. */
export class FastSide {
  readonly side: Side;
  /** 1 for bids, -1 for asks: a price's key in `index` is the price times this. */
  readonly sign: 1 | -1;
  readonly index: LevelIndex;
  orders = 0;
  total = 0;

  constructor(side: Side, index = new LevelIndex()) {
    this.side = side;
    this.sign = side === 'B' ? 1 : -1;
    this.index = index;
  }

  copy(): FastSide {
    const copy = new FastSide(this.side, this.index.copy());
    copy.orders = this.orders;
    copy.total = this.total;
    return copy;
  }
}

/** A level takes 32 bytes: four doubles, or eight words. */
const DOUBLES = 4;

const TOTAL = 1;

const COUNT = 4;
const HEAD = 5;
const TAIL = 6;
const IS_BID = 7;

/**
 * The price levels of both sides, 32 bytes each in one buffer. A level is identified by the index of its price among the
 * doubles of the buffer; its queue is linked through the orders.
 */
export class LevelStore {
  private doubles = new Float64Array(0);
  private words = new Int32Array(0);
  private free: number[] = [];
  private end = 0;

  /** The same levels under the same ids. */
  copy(): LevelStore {
    const copy = new LevelStore();
    copy.doubles = this.doubles.slice();
    copy.words = new Int32Array(copy.doubles.buffer);
    copy.free = [...this.free];
    copy.end = this.end;
    return copy;
  }

  /** Price in units of the book's price scale. */
  px(level: number): number {
    return this.doubles[level] as number;
  }

  total(level: number): number {
    return this.doubles[level + TOTAL] as number;
  }

  count(level: number): number {
    return this.words[level * 2 + COUNT] as number;
  }

  /** Adds a number of orders, which may be negative, and their size to a level. */
  add(level: number, orders: number, units: number): void {
    this.doubles[level + TOTAL] = this.total(level) + units;
    this.words[level * 2 + COUNT] = this.count(level) + orders;
  }

  /** The front order, or NONE if the level has no orders. */
  head(level: number): number {
    return this.words[level * 2 + HEAD] as number;
  }

  setHead(level: number, slot: number): void {
    this.words[level * 2 + HEAD] = slot;
  }

  /** The last order, or NONE if the level has no orders. */
  tail(level: number): number {
    return this.words[level * 2 + TAIL] as number;
  }

  setTail(level: number, slot: number): void {
    this.words[level * 2 + TAIL] = slot;
  }

  sideOf(level: number): Side {
    return this.words[level * 2 + IS_BID] === 1 ? 'B' : 'A';
  }

  /** The best level of a side that holds any size, or NONE. */
  bestFilled({ index }: FastSide): number {
    const best = index.best();
    if (best === NONE || this.total(best) > 0) return best;
    const walk = index.walk();
    let level = walk.next();
    while (level !== NONE && this.total(level) === 0) level = walk.next();
    return level;
  }

  open(side: Side, px: number): number {
    const level = this.free.pop() ?? this.takeNew();
    this.doubles[level] = px;
    this.doubles[level + TOTAL] = 0;
    const word = level * 2;
    this.words[word + COUNT] = 0;
    this.words[word + HEAD] = NONE;
    this.words[word + TAIL] = NONE;
    this.words[word + IS_BID] = side === 'B' ? 1 : 0;
    return level;
  }

  close(level: number): void {
    this.free.push(level);
  }

  scaleTotals(factor: number): void {
    for (let level = 0; level < this.doubles.length; level += DOUBLES) {
      this.doubles[level + TOTAL] = this.total(level) * factor;
    }
  }

  scalePrices(factor: number): void {
    for (let level = 0; level < this.doubles.length; level += DOUBLES) this.doubles[level] = this.px(level) * factor;
  }

  private takeNew(): number {
    if (this.end === this.doubles.length) {
      const doubles = new Float64Array(Math.max(64, Math.ceil((this.end / DOUBLES) * 1.5)) * DOUBLES);
      doubles.set(this.doubles);
      this.doubles = doubles;
      this.words = new Int32Array(doubles.buffer);
    }
    this.end += DOUBLES;
    return this.end - DOUBLES;
  }
}
