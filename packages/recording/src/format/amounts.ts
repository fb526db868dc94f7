import type { DecimalString } from '@l4desk/protocol';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Value in the column of decimals for a text that isn't a plain number below 2^52. The text itself follows. */
const AS_TEXT = 255;

/** The number of digits that always fits below 2^52. */
const DIGITS_MAX = 15;

const ZERO = 48;
const POINT = 46;

/** A decimal text, split into its digits as a whole number and the number of digits after the point. */
interface Split {
  mantissa: number;
  decimals: number;
}

/**
 * Returns false if the two numbers cannot restore the text: leading zeros, a sign, no digit before the point, too many digits.
 */
function split(text: string, into: Split): boolean {
  const { length } = text;
  if (length === 0 || length > DIGITS_MAX + 1) return false;
  let mantissa = 0;
  let point = -1;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT) {
      if (point >= 0 || at === 0 || at === length - 1) return false;
      point = at;
    } else {
      const value = code - ZERO;
      if (value < 0 || value > 9) return false;
      mantissa = mantissa * 10 + value;
    }
  }
  const digits = point < 0 ? length : length - 1;
  const whole = point < 0 ? length : point;
  if (digits > DIGITS_MAX || (whole > 1 && text.charCodeAt(0) === ZERO)) return false;
  into.mantissa = mantissa;
  into.decimals = point < 0 ? 0 : length - point - 1;
  return true;
}

function join(mantissa: number, decimals: number): DecimalString {
  const digits = String(mantissa);
  if (decimals === 0) return digits as DecimalString;
  const padded = digits.length > decimals ? digits : digits.padStart(decimals + 1, '0');
  const point = padded.length - decimals;
  return `${padded.slice(0, point)}.${padded.slice(point)}` as DecimalString;
}

/** The last amount of a run. The next one is written as the difference to it. */
export interface LastAmount {
  mantissa: number;
  decimals: number;
}

export function noAmount(): LastAmount {
  return { mantissa: 0, decimals: 0 };
}

/** Writes amounts to two columns: the number of decimals as printed, and the digits. Every text is restored exactly. */
export class AmountWriter {
  readonly decimals: ByteWriter;
  readonly digits: ByteWriter;
  readonly #split: Split = { mantissa: 0, decimals: 0 };

  constructor(decimals: ByteWriter, digits: ByteWriter) {
    this.decimals = decimals;
    this.digits = digits;
  }

  write(text: string): void {
    const now = this.#split;
    if (split(text, now)) {
      this.decimals.byte(now.decimals);
      this.digits.varint(now.mantissa);
    } else this.#asText(text);
  }

  /** Writes the amount as the difference to `last`, then sets `last` to this amount. */
  writeAfter(text: string, last: LastAmount): void {
    const now = this.#split;
    if (!split(text, now)) {
      this.#asText(text);
      return;
    }
    this.decimals.byte(now.decimals);
    this.digits.signed(now.decimals === last.decimals ? now.mantissa - last.mantissa : now.mantissa);
    last.mantissa = now.mantissa;
    last.decimals = now.decimals;
  }

  #asText(text: string): void {
    this.decimals.byte(AS_TEXT);
    this.digits.text(text);
  }
}

/** Reads what `AmountWriter` wrote. */
export class AmountReader {
  readonly #decimals: ByteReader;
  readonly #digits: ByteReader;

  constructor(decimals: ByteReader, digits: ByteReader) {
    this.#decimals = decimals;
    this.#digits = digits;
  }

  read(): DecimalString {
    const decimals = this.#decimals.byte();
    if (decimals === AS_TEXT) return this.#digits.text() as DecimalString;
    return join(this.#digits.varint(), decimals);
  }

  readAfter(last: LastAmount): DecimalString {
    const decimals = this.#decimals.byte();
    if (decimals === AS_TEXT) return this.#digits.text() as DecimalString;
    const value = this.#digits.signed();
    const mantissa = decimals === last.decimals ? last.mantissa + value : value;
    last.mantissa = mantissa;
    last.decimals = decimals;
    return join(mantissa, decimals);
  }
}
