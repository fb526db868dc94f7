import { type Address, address, isAddress, NOT_AN_ADDRESS } from './primitives.ts';
import { z } from './zod.ts';

/** The wallet that a text names, in lower case; or what is wrong with the text, to be read after it, and where. */
export type ReadAddress =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Characters without a shape of their own that copied text carries: zero-width spaces, direction marks, byte order marks. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The text without invisible characters and surrounding spaces. */
export function visibleText(written: string): string {
  return written.replace(INVISIBLE, '').trim();
}

/** Reads a wallet address as people type or paste it (D73). Positions in a problem count visible characters from 1. */
export function readAddress(written: string): ReadAddress {
  const text = visibleText(written);
  const lower = text.toLowerCase();
  if (isAddress(lower)) return { kind: 'address', address: lower };
  return { kind: 'invalid', problem: problemOf(text) };
}

/** A wallet in a request, in lower case afterwards (D5, D73). */
export const wallet = z.preprocess((written: Address, context) => spelled(written, context), address);

/** The same for a text of a page: a link, a field, a file. */
export const writtenAddress = z.preprocess((written: string, context) => spelled(written, context), address);

function spelled(written: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof written !== 'string') return written;
  const read = readAddress(written);
  if (read.kind === 'address') return read.address;
  context.addIssue({ code: 'custom', message: `${NOT_AN_ADDRESS}, but ${read.problem}` });
  return z.NEVER;
}

function problemOf(text: string): string {
  if (text === '') return 'is empty';
  if (!/^0x/i.test(text)) return 'does not start with 0x';
  const digits = Array.from(text).slice(2);
  const at = digits.findIndex((digit) => !/^[0-9a-f]$/i.test(digit));
  if (at >= 0) return `character ${at + 3}${codeOf(digits[at] ?? '')} is not a hexadecimal digit`;
  return `has ${digits.length} ${digits.length === 1 ? 'digit' : 'digits'} after 0x, not 40`;
}

/** The code of a character that may look like another one, such as a Cyrillic `а`; nothing for plain visible characters. */
function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0x20 && code < 0x7f ? '' : ` (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}
