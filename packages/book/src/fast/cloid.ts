import { type AsciiWriter, asciiBytes } from '../engine/ascii-writer.ts';
import { HEX_DIGITS, packHex } from './hex.ts';

const WORDS = 4;

const DIGIT_CODES = asciiBytes(HEX_DIGITS);
const OPENING = asciiBytes('"0x');
const QUOTE = 34;

/** Every byte as two digits. */
const BYTES = Array.from({ length: 256 }, (_, byte) => `${HEX_DIGITS[byte >>> 4]}${HEX_DIGITS[byte & 15]}`);

/**
 * Packs a client order id of the usual form, `0x` and 32 lower-case hexadecimal digits, into the four words from `at` on.
 * Returns false for any other text, which the caller must keep as it is.
 */
export function packCloid(cloid: string, words: Int32Array, at: number): boolean {
  return packHex(cloid, words, at, WORDS);
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
