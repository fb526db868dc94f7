import type { ByteReader, ByteWriter } from './bytes.ts';

/** How an owner or a client order id is stored in its column. */
const KIND = { none: 0, hex: 1, text: 2 } as const;

const HEX_ADDRESS = /^0x[0-9a-f]{40}$/;
const HEX_CLOID = /^0x[0-9a-f]{32}$/;

export const ADDRESS_DIGITS = 40;
export const CLOID_DIGITS = 32;

/** Writes an owner or cloid: as bytes if it is `0x` and the expected number of lower-case digits, otherwise as text. */
export function writeIdentity(text: string | null, digits: number, kinds: ByteWriter, bytes: ByteWriter): void {
  if (text === null) kinds.byte(KIND.none);
  else if ((digits === ADDRESS_DIGITS ? HEX_ADDRESS : HEX_CLOID).test(text)) {
    kinds.byte(KIND.hex);
    bytes.hex(text, 2, digits);
  } else {
    kinds.byte(KIND.text);
    bytes.text(text);
  }
}

export function readIdentity(digits: number, kinds: ByteReader, bytes: ByteReader): string | null {
  const kind = kinds.byte();
  if (kind === KIND.none) return null;
  return kind === KIND.hex ? `0x${bytes.hex(digits)}` : bytes.text();
}
