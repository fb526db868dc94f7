/** Bytes that stay free after the last text, so that a number can follow without a check. */
const MARGIN = 512;

const ZERO = 48;
const POINT = 46;

/** Powers of ten that a double holds exactly, which are all that scales of safe integers need. */
const POWERS = Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

/** ASCII text under construction, as bytes: several times faster than joining strings and encoding them. */
export class AsciiWriter {
  bytes: Uint8Array;
  length = 0;

  /** Room for `capacity` bytes and a little more: a caller that stops there never makes it grow. */
  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity + 8 * MARGIN);
  }

  /** Appends text of any length; every character must be ASCII. */
  text(text: string): void {
    const end = this.length + text.length;
    if (end + MARGIN > this.bytes.length) this.grow(end);
    const { bytes, length } = this;
    for (let at = 0; at < text.length; at += 1) bytes[length + at] = text.charCodeAt(at);
    this.length = end;
  }

  /** Appends bytes of any length. */
  copy(from: Uint8Array): void {
    const end = this.length + from.length;
    if (end + MARGIN > this.bytes.length) this.grow(end);
    this.bytes.set(from, this.length);
    this.length = end;
  }

  /** Appends one character. Call `text` or `copy` after at most a few of these. */
  code(code: number): void {
    this.bytes[this.length] = code;
    this.length += 1;
  }

  /** Appends a non-negative safe integer in plain decimal digits. */
  whole(value: number): void {
    let digits = 1;
    while (digits < 16 && value >= (POWERS[digits] as number)) digits += 1;
    this.digits(value, digits);
  }

  /**
   * Appends `units / 10^scale` with at least `decimals` digits after the point (at most 255) and no trailing zeros beyond them;
   * without a point if there are no such digits. `units` is a non-negative safe integer.
   */
  amount(units: number, scale: number, decimals: number): void {
    if (scale > 15) throw new RangeError(`no safe number is a fraction of 10^-${scale}`);
    const power = POWERS[scale] as number;
    let whole = scale === 0 ? units : Math.floor(units / power);
    let fraction = units - whole * power;
    // The quotient of two doubles may have been rounded up to the next integer.
    if (fraction < 0) {
      whole -= 1;
      fraction += power;
    }
    this.whole(whole);
    let places = scale;
    if (fraction === 0) places = 0;
    for (; places > decimals && fraction % 10 === 0; places -= 1) fraction /= 10;
    if (places === 0 && decimals === 0) return;
    this.code(POINT);
    if (places > 0) this.digits(fraction, places);
    for (; places < decimals; places += 1) this.code(ZERO);
  }

  private digits(value: number, count: number): void {
    const { bytes, length } = this;
    let write = length + count;
    this.length = write;
    let rest = value;
    // Division of doubles is slow; below nine digits small integers can be used.
    while (rest >= 1e9) {
      const high = Math.floor(rest / 10);
      write -= 1;
      bytes[write] = ZERO + (rest - high * 10);
      rest = high;
    }
    let small = rest | 0;
    while (write > length) {
      const high = (small / 10) | 0;
      write -= 1;
      bytes[write] = ZERO + (small - high * 10);
      small = high;
    }
  }

  private grow(needed: number): void {
    const bytes = new Uint8Array((needed + MARGIN) * 2);
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
  }
}

/** The JSON of a value in ASCII; other characters are escaped. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The bytes of an ASCII text. */
export function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
