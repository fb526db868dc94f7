import { parseUnits, significantDecimalsOf } from '@l4desk/decimal';
import { isAmount } from '../engine/amount.ts';

/** A text that is no decimal from zero. */
export const BAD = -1;
/** A decimal that no safe whole number of units can stand for, at any scale that suits the rest of the book. */
export const FAR = -2;

/** The finest scale at which 1 is still a safe number of units. */
const SCALE_MAX = 15;

const MINUS = 45;

/** Reads the prices of a book, or its sizes, as whole numbers of `10^-scale`: the finest decimals seen so far. */
export class UnitScale {
  scale = 0;
  private readonly multiply: (factor: number) => boolean;

  /**
   * `multiply` counts all amounts of the book in units that are smaller by a factor; it returns false, and changes nothing,
   * where one of them would leave the safe range.
   */
  constructor(multiply: (factor: number) => boolean) {
    this.multiply = multiply;
  }

  /** An amount in units; the scale grows when it must. Or BAD or FAR. */
  read(text: string): number {
    const units = this.unitsOf(text);
    if (units >= 0) return units;
    if (!isAmount(text)) return BAD;
    return this.grow(significantDecimalsOf(text)) ? this.unitsOf(text) : FAR;
  }

  /** The same at the scale as it is. FAR also for what is no amount. */
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
