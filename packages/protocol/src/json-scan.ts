import { isObject } from './json.ts';

// Reads pieces of JSON from its text: their original form, or a fixed form several times as fast as `JSON.parse`.

/** Patterns of pieces of JSON, each narrower than JSON allows: what does not match is left to `JSON.parse`. */
export const WHOLE = String.raw`(?:0|[1-9]\d{0,14})`;
export const DECIMAL = String.raw`\d+(?:\.\d+)?`;
/** The inside of a string without escapes. */
export const TEXT = String.raw`[^"\\\u0000-\u001f]*`;

/** Matches a sticky pattern at an index. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** A member's value exactly as written, and the depth to which it nests arrays and objects. */
export interface MemberText {
  readonly text: string;
  readonly depth: number;
}

/** Returns the original text of a member of a valid JSON object; undefined if there is none. */
export function memberText(text: string, name: string): MemberText | undefined {
  return memberTexts(text).get(name);
}

/** The original texts of all members of a valid JSON object; of two with one name, the last, as JSON.parse. */
function memberTexts(text: string): ReadonlyMap<string, MemberText> {
  const members = new Map<string, MemberText>();
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_BRACE) return members;
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = stringEnd(text, at);
    // A key may contain escapes, which JSON.parse resolves.
    const key = String(JSON.parse(text.slice(at, keyEnd)));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const { end, depth } = valueEnd(text, start);
    members.set(key, { text: text.slice(start, end), depth });
    at = nextItem(text, end);
  }
  return members;
}

/** The text of a changed copy of what `text` was parsed to: each value that it shares with the original keeps its own text. */
export function copyText(copy: unknown, original: unknown, text: string): string {
  if (copy === original) return text;
  if (Array.isArray(copy) && Array.isArray(original)) {
    const texts = elementTexts(text);
    return `[${copy.map((item, at) => copyText(item, original[at], texts[at] ?? '')).join()}]`;
  }
  if (!isObject(copy) || !isObject(original)) return JSON.stringify(copy);
  const known = memberTexts(text);
  const members = Object.entries(copy).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${JSON.stringify(name)}:${copyText(value, original[name], known.get(name)?.text ?? '')}`],
  );
  return `{${members.join()}}`;
}

/** Returns the original texts of the elements of a JSON array. `text` must be valid JSON. */
export function elementTexts(text: string): readonly string[] {
  const texts: string[] = [];
  for (let at = skipSpace(text, skipSpace(text, 0) + 1); text.charCodeAt(at) !== CLOSE_BRACKET; ) {
    const { end } = valueEnd(text, at);
    texts.push(text.slice(at, end));
    at = nextItem(text, end);
  }
  return texts;
}

/** Index of the next item after a value, or of the bracket that ends the list. */
function nextItem(text: string, valueEnd: number): number {
  const at = skipSpace(text, valueEnd);
  return text.charCodeAt(at) === COMMA ? skipSpace(text, at + 1) : at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** Index after the string that starts at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Index after the value that starts at `from`. Not recursive, because the sender controls the nesting depth. */
function valueEnd(text: string, from: number): { readonly end: number; readonly depth: number } {
  let depth = 0;
  let deepest = 0;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      if (depth === 0) return { end: at, depth: deepest };
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      // A bare number or literal ends where the enclosing value ends.
      if (depth === 0) return { end: at, depth: deepest };
      depth -= 1;
      if (depth === 0) return { end: at + 1, depth: deepest };
    } else if (depth === 0 && (code === COMMA || code <= 32)) {
      return { end: at, depth: deepest };
    }
    at += 1;
  }
  return { end: at, depth: deepest };
}

/** A copy of a text that shares no memory with a longer one. A concatenation is copied when it is next read. */
export function ownCopy<Text extends string>(text: Text): Text {
  return ` ${text}`.slice(1) as Text;
}
