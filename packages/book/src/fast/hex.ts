export const HEX_DIGITS = '0123456789abcdef';

const DIGITS_OF_WORD = 8;

const VALUE_OF = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value += 1) VALUE_OF[HEX_DIGITS.charCodeAt(value)] = value;

/**
 * Packs a text of the form `0x` and eight lower-case hexadecimal digits per word into the words from `at` on. Returns false for
 * any other text, which the caller must keep as it is.
 */
export function packHex(text: string, words: Int32Array, at: number, count: number): boolean {
  if (text.length !== 2 + count * DIGITS_OF_WORD || text.charCodeAt(0) !== 48 || text.charCodeAt(1) !== 120)
    return false;
  let index = 2;
  for (let word = at; word < at + count; word += 1) {
    let value = 0;
    for (const end = index + DIGITS_OF_WORD; index < end; index += 1) {
      const digit = VALUE_OF[text.charCodeAt(index)] ?? -1;
      if (digit < 0) return false;
      value = (value << 4) | digit;
    }
    words[word] = value;
  }
  return true;
}
