export const HEX_DIGITS = '0123456789abcdef';

const VALUE_OF = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value += 1) VALUE_OF[HEX_DIGITS.charCodeAt(value)] = value;

/** The value of a lower-case hexadecimal digit by its character code, or -1 when it is none. */
export function hexDigit(code: number): number {
  return VALUE_OF[code] ?? -1;
}
