import { type AsciiWriter, asciiBytes } from '../engine/ascii-writer.ts';
import { HEX_DIGITS, hexDigit } from './hex.ts';

const LENGTH = 34;
const WORDS = 4;

const DIGIT_CODES = asciiBytes(HEX_DIGITS);
const OPENING = asciiBytes('"0x');
const QUOTE = 34;

/** Every byte as two digits. */
const BYTES = Array.from({ length: 256 }, (_, byte) => `${HEX_DIGITS[byte >>> 4]}${HEX_DIGITS[byte & 15]}`);

/**
 * Packs a client order id of the usual form, `0x` and 32 lower-case hexadecimal digits, into the four words from `at` on.
 * False for any other text: it is to be kept as it is.
 */
export function packCloid(cloid: string, words: Int32Array, at: number): boolean {
  if (cloid.length !== LENGTH || cloid.charCodeAt(0) !== 48 || cloid.charCodeAt(1) !== 120) return false;
  for (let word = 0; word < WORDS; word += 1) {
    const start = 2 + word * 8;
    let value = 0;
    for (let index = start; index < start + 8; index += 1) {
      const digit = hexDigit(cloid.charCodeAt(index));
      if (digit < 0) return false;
      value = (value << 4) | digit;
    }
    words[at + word] = value;
  }
  return true;
}

/** Writes the id in quotes. */
export function writeCloid(out: AsciiWriter, words: Int32Array, at: number): void {
  out.copy(OPENING);
  for (let word = at; word < at + WORDS; word += 1) {
    const value = words[word] as number;
    for (let shift = 28; shift >= 0; shift -= 4) out.code(DIGIT_CODES[(value >>> shift) & 15] as number);
  }
  out.code(QUOTE);
}

export function unpackCloid(words: Int32Array, at: number): string {
  let text = '0x';
  for (let word = at; word < at + WORDS; word += 1) {
    const value = words[word] as number;
    text += `${BYTES[value >>> 24]}${BYTES[(value >>> 16) & 255]}${BYTES[(value >>> 8) & 255]}${BYTES[value & 255]}`;
  }
  return text;
}
