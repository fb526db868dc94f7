import { type Address, address, isAddress, millis, NOT_AN_ADDRESS } from '../primitives.ts';
import { firstIssue } from '../wire-format-error.ts';
import { z } from '../zod.ts';

/** The result of reading a request: the request in the form that the service works with, or its first problem (D5). */
export type DecodedRequest<T> =
  | { readonly kind: 'request'; readonly request: T }
  | {
      readonly kind: 'refused';
      /** The invalid field, for example `users[3]`. */
      readonly path: string;
      /** What is wrong, to be read after the field's name: `is missing`. It repeats nothing that was sent. */
      readonly problem: string;
    };

/** Reads the parsed body of a request with the schema of its kind. Every body yields a result; it never throws. */
export function decodeRequest<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): DecodedRequest<z.output<Schema>> {
  const result = schema.safeParse(body, { error: problemOf });
  if (result.success) return { kind: 'request', request: result.data };
  return { kind: 'refused', ...firstIssue(result.error) };
}

const TYPE_PROBLEMS: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
};

/** What is wrong with a field whose schema has no message of its own. */
function problemOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : (TYPE_PROBLEMS[issue.expected] ?? 'has the wrong type');
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must be at most ${issue.maximum} characters long`
        : `must be at most ${issue.maximum}`;
    default:
      return 'is invalid';
  }
}

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
  return { kind: 'invalid', problem: addressProblem(text) };
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

function addressProblem(text: string): string {
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

/** A wallet in lower case, the form that goes upstream and that responses carry (D5). */
export function lowerCaseAddress(wallet: Address): Address {
  return `0x${wallet.slice(2).toLowerCase()}`;
}

/** An optional field of a request for which `null` means the same as omitting it (D7). */
export function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A builder dex in a request. The empty string, or no value, means the canonical perp dex; it goes upstream as sent (D16). */
export const dex = orAbsent(z.string().meta({ description: 'builder dex; empty or absent: the canonical one' }));

/** An optional bound of a time window, in ms: for `endTime`, `null` or no value means the current server time (D7). */
export const optionalTime = orAbsent(millis);

/** Whether a request with a window does not end before it starts; both bounds are inclusive (D7, D18). */
export function endsAfterStart(window: object): boolean {
  if (!('startTime' in window && 'endTime' in window)) return true;
  const { startTime, endTime } = window;
  return typeof startTime !== 'number' || typeof endTime !== 'number' || endTime >= startTime;
}

/** The problem reported if it does. */
export const ENDS_BEFORE_START = { message: 'must not be before startTime', path: ['endTime'] };
