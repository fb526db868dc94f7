import { decimalsOf, formatUnits, parseBigUnits, parseUnits, significantDecimalsOf } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';

/** The prices of one row, both ends inclusive, in units of the book's price scale; there need not be a level at either. */
export interface RowRange {
  readonly best: number;
  readonly worst: number;
}

/**
 * Which levels form one row: each its own, or all that fall in the same multiple of a tick, bids rounded down and asks up, so
 * that an on-tick price stays in its own row. Exact for every tick and price: beyond the range of doubles, bigint
 * does the arithmetic, and only whole prices result.
 */
export class Buckets {
  /** The worst price that belongs to the current row. */
  worst = 0;
  private label: number | bigint = 0;
  private readonly side: Side;
  private readonly pxScale: number;
  private readonly tick: DecimalString | undefined;
  /** The tick in price units if it, and every sum with a price, is safe; otherwise 0. */
  private readonly safeTick: number;

  /** `tick` must be a decimal above zero. */
  constructor(side: Side, tick: DecimalString | undefined, pxScale: number) {
    this.side = side;
    this.pxScale = pxScale;
    this.tick = tick;
    this.safeTick = 0;
    if (tick === undefined) return;
    const units = parseUnits(tick, pxScale);
    if (units !== undefined && units <= HALF_SAFE) this.safeTick = units;
  }

  /** Begins the row that holds the level at `px`, the best of its levels. */
  begin(px: number): void {
    if (this.tick === undefined) {
      this.worst = px;
    } else if (this.safeTick > 0 && px <= HALF_SAFE) {
      const past = px % this.safeTick;
      const below = px - past;
      this.label = this.side === 'B' || past === 0 ? below : below + this.safeTick;
      this.worst = this.label;
    } else {
      const scale = this.bigScale(0);
      const units = BigInt(px) * 10n ** BigInt(scale - this.pxScale);
      const label = this.bucketOf(units, scale);
      this.label = label;
      this.worst = this.worstOf(label, scale);
    }
  }

  /** Whether a level, no better than the row's first one, belongs to the row. */
  holds(px: number): boolean {
    return this.side === 'B' ? px >= this.worst : px <= this.worst;
  }

  /** The row's price: the bucket's with the tick's decimals, or that of its level. */
  text(levelText: DecimalString): DecimalString {
    if (this.tick === undefined) return levelText;
    const scale = typeof this.label === 'bigint' ? this.bigScale(0) : this.pxScale;
    return formatUnits(this.label, scale, decimalsOf(this.tick));
  }

  /** The prices of the row that holds `px`, which need not be a level's price. */
  rangeOf(px: DecimalString): RowRange {
    const scale = this.bigScale(significantDecimalsOf(px));
    const units = parseBigUnits(px, scale) as bigint;
    const factor = 10n ** BigInt(scale - this.pxScale);
    if (this.tick === undefined) {
      const [low, high] = [floorDivide(units, factor), ceilDivide(units, factor)];
      return this.side === 'B'
        ? { best: Number(low), worst: Number(high) }
        : { best: Number(high), worst: Number(low) };
    }
    const tick = parseBigUnits(this.tick, scale) as bigint;
    const label = this.bucketOf(units, scale);
    const worst = this.worstOf(label, scale);
    return this.side === 'B'
      ? { best: Number(ceilDivide(label + tick, factor) - 1n), worst }
      : { best: Number(floorDivide(label - tick, factor) + 1n), worst };
  }

  /** A scale fine enough for prices, the tick, and `decimals` digits. */
  private bigScale(decimals: number): number {
    return Math.max(this.pxScale, decimals, this.tick === undefined ? 0 : significantDecimalsOf(this.tick));
  }

  private bucketOf(units: bigint, scale: number): bigint {
    const tick = parseBigUnits(this.tick as DecimalString, scale) as bigint;
    return (this.side === 'B' ? floorDivide(units, tick) : ceilDivide(units, tick)) * tick;
  }

  private worstOf(label: bigint, scale: number): number {
    const factor = 10n ** BigInt(scale - this.pxScale);
    return Number(this.side === 'B' ? ceilDivide(label, factor) : floorDivide(label, factor));
  }
}

const HALF_SAFE = 2 ** 52;

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return -floorDivide(-a, b);
}
