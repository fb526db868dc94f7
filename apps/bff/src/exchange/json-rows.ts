/** An element of a JSON array, with its original text. */
export interface JsonRow {
  readonly text: string;
  readonly value: unknown;
}

/** Structural characters of JSON. */
const [QUOTE, COMMA, BACKSLASH, OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [
  0x22, 0x2c, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
] as const;

/**
 * Reads the elements of a JSON array one at a time, so that a large array can be read in steps and abandoned at the
 * first error. Keeps the text of each element: parsing and serializing it again would change numbers that a double cannot
 * hold, number formats, and the order of some keys. Throws SyntaxError if the text is not a JSON array, or if an element
 * is longer than `lengthMax`.
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

/** Counts the elements of a JSON array, up to `most`, without parsing them. Throws SyntaxError if the text is not an array. */
export function countRows(text: string, most: number): number {
  let start = arrayStart(text);
  for (let count = 0; ; count += 1) {
    if (count === most) return most;
    const end = elementEnd(text, start, text.length);
    if (text.charCodeAt(end) === CLOSING_BRACKET) return count + (withoutBlanks(text, start, end) === '' ? 0 : 1);
    start = end + 1;
  }
}

/** Index at which the first element of an array starts. */
function arrayStart(text: string): number {
  const opening = text.indexOf('[');
  if (opening < 0 || withoutBlanks(text, 0, opening) !== '') throw new SyntaxError('not an array');
  return opening + 1;
}

/** Returns a slice of the text without surrounding JSON white space; `trim` would also remove other characters. */
function withoutBlanks(text: string, start: number, end: number): string {
  let [first, last] = [start, end];
  while (first < last && isBlank(text.charCodeAt(first))) first += 1;
  while (last > first && isBlank(text.charCodeAt(last - 1))) last -= 1;
  return text.slice(first, last);
}

/** Whether the character is JSON white space. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b && code !== 0x0c);
}

/** Index of the comma or bracket that ends the element at `start`. */
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

/** Index of the quote that closes the string opened at `opening`, or `limit` if it is not closed before that. */
function closingQuote(text: string, opening: number, limit: number): number {
  for (let at = opening + 1; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return limit;
}
