/** An element of a JSON array, and the text its sender wrote for it. */
export interface JsonRow {
  readonly text: string;
  readonly value: unknown;
}

/** Characters that JSON is built of. */
const [QUOTE, COMMA, BACKSLASH, OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [
  0x22, 0x2c, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
] as const;

/**
 * Reads the elements of a JSON array one at a time, so that a large one can be read in steps and abandoned at its first
 * fault. Keeps the text of each: parsing and printing again would change numbers past what a double holds, their forms, and
 * the order of some keys. Throws SyntaxError where the text is no JSON array, or has an element longer than `lengthMax`.
 */
export function* jsonRows(text: string, lengthMax: number): Generator<JsonRow, void> {
  const first = arrayStart(text);
  let start = first;
  for (;;) {
    const end = elementEnd(text, start, lengthMax);
    const element = withoutBlanks(text, start, end);
    const isLast = text.charCodeAt(end) === CLOSING_BRACKET;
    if (element !== '') yield { text: element, value: JSON.parse(element) as unknown };
    else if (!isLast || start > first) throw new SyntaxError('an element is missing');
    if (isLast) {
      if (withoutBlanks(text, end + 1, text.length) !== '') throw new SyntaxError('text after the array');
      return;
    }
    start = end + 1;
  }
}

/** How many elements a JSON array has, up to `most`; none of them is parsed. Throws SyntaxError if the text is not one. */
export function countRows(text: string, most: number): number {
  let start = arrayStart(text);
  for (let count = 0; ; count += 1) {
    if (count === most) return most;
    const end = elementEnd(text, start, text.length);
    if (text.charCodeAt(end) === CLOSING_BRACKET) return count + (withoutBlanks(text, start, end) === '' ? 0 : 1);
    start = end + 1;
  }
}

/** Where the first element of an array starts. */
function arrayStart(text: string): number {
  const opening = text.indexOf('[');
  if (opening < 0 || withoutBlanks(text, 0, opening) !== '') throw new SyntaxError('not an array');
  return opening + 1;
}

/** A piece of text without the white space around it; `trim` takes more than JSON does. */
function withoutBlanks(text: string, start: number, end: number): string {
  let [first, last] = [start, end];
  while (first < last && isBlank(text.charCodeAt(first))) first += 1;
  while (last > first && isBlank(text.charCodeAt(last - 1))) last -= 1;
  return text.slice(first, last);
}

/** White space of JSON. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b && code !== 0x0c);
}

/** Where the element that starts at a place ends: at the comma or the bracket after it. */
function elementEnd(text: string, start: number, lengthMax: number): number {
  const limit = Math.min(text.length, start + lengthMax + 1);
  let depth = 0;
  for (let at = start; at < limit; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = closingQuote(text, at, limit);
        break;
      case COMMA:
        if (depth === 0) return at;
        break;
      case CLOSING_BRACKET:
        if (depth === 0) return at;
        depth -= 1;
        break;
      case CLOSING_BRACE:
        depth -= 1;
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth += 1;
        break;
      default:
        break;
    }
  }
  throw new SyntaxError('an element is too long, or the array has no end');
}

/** Where the string that opens at a place closes; `limit` when it does not before that. */
function closingQuote(text: string, opening: number, limit: number): number {
  for (let at = opening + 1; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return limit;
}
