import { parseUnits, significantDecimalsOf } from '@l4desk/decimal';
import { isAmount } from '../engine/amount.ts';

/** Returned for a text that is not a non-negative decimal. */
export const BAD = -1;
/** Returned for a decimal that is not a safe integer of units at any scale that suits the rest of the book. */
export const FAR = -2;

/** The finest scale at which 1 is still a safe number of units. */
const SCALE_MAX = 15;

const MINUS = 45;

/** Reads the prices of a book, or its sizes, as integers of `10^-scale`: the finest decimals seen so far. */
export class UnitScale {
  scale = 0;
  private readonly multiply: (factor: number) => boolean;

  /**
   * `multiply` converts all amounts of the book to units that are smaller by a factor. It returns false, and changes nothing,
   * if one of them would leave the safe range.
   */
  constructor(multiply: (factor: number) => boolean) {
    this.multiply = multiply;
  }

  /** An amount in units, raising the scale if needed; or BAD or FAR. */
  read(text: string): number {
    const units = this.unitsOf(text);
    if (units >= 0) return units;
    if (!isAmount(text)) return BAD;
    return this.grow(significantDecimalsOf(text)) ? this.unitsOf(text) : FAR;
  }

  /** The same without changing the scale. Also FAR for a text that is not an amount. */
  unitsOf(text: string): number {
    return text.charCodeAt(0) === MINUS ? FAR : (parseUnits(text, this.scale) ?? FAR);
  }

  private grow(scale: number): boolean {
    if (scale <= this.scale || scale > SCALE_MAX) return false;
    if (!this.multiply(Number(`1e${scale - this.scale}`))) return false;
    this.scale = scale;
    return true;
  }
}
