import type { DecimalString, Side } from '@l4desk/protocol';
import { LevelIndex } from './level-index.ts';
import { grown, NONE } from './order-store.ts';

/** One side's levels in order, and its sums. */
export class FastSide {
  readonly side: Side;
  /** 1 for bids, -1 for asks: a price's key in `index` is the price times this. */
  readonly sign: 1 | -1;
  readonly index = new LevelIndex();
  orders = 0;
  total = 0;

  constructor(side: Side) {
    this.side = side;
    this.sign = side === 'B' ? 1 : -1;
  }
}

/** The price levels of both sides as a struct of arrays: a level is a whole number, its queue runs through the orders' links. */
export class LevelStore {
  /** Price in units of the book's price scale. */
  px = new Float64Array(0);
  total = new Float64Array(0);
  count = new Int32Array(0);
  head = new Int32Array(0);
  tail = new Int32Array(0);
  /** 1 for bids, 0 for asks. */
  private isBid = new Uint8Array(0);
  /** The price as the order printed it that opened the level. */
  private readonly texts: DecimalString[] = [];
  private readonly free: number[] = [];

  open(side: Side, px: number, text: DecimalString): number {
    const free = this.free.pop();
    const level = free ?? this.texts.length;
    if (level === this.px.length) this.grow();
    this.px[level] = px;
    this.total[level] = 0;
    this.count[level] = 0;
    this.head[level] = NONE;
    this.tail[level] = NONE;
    this.isBid[level] = side === 'B' ? 1 : 0;
    this.texts[level] = text;
    return level;
  }

  close(level: number): void {
    this.free.push(level);
  }

  sideOf(level: number): Side {
    return this.isBid[level] === 1 ? 'B' : 'A';
  }

  text(level: number): DecimalString {
    return this.texts[level] as DecimalString;
  }

  scaleTotals(factor: number): void {
    for (let level = 0; level < this.texts.length; level += 1)
      this.total[level] = (this.total[level] as number) * factor;
  }

  scalePrices(factor: number): void {
    for (let level = 0; level < this.texts.length; level += 1) this.px[level] = (this.px[level] as number) * factor;
  }

  private grow(): void {
    const size = Math.max(64, Math.ceil(this.px.length * 1.5));
    this.px = grown(this.px, new Float64Array(size));
    this.total = grown(this.total, new Float64Array(size));
    this.count = grown(this.count, new Int32Array(size));
    this.head = grown(this.head, new Int32Array(size));
    this.tail = grown(this.tail, new Int32Array(size));
    this.isBid = grown(this.isBid, new Uint8Array(size));
  }
}
