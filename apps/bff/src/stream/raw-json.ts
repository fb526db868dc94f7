/** What `memberText` found. */
export interface MemberText {
  /** The member's value exactly as it was written. */
  readonly text: string;
  /** How deeply arrays and objects of the value are nested at most. */
  readonly depth: number;
}

/**
 * The value of a member of a JSON object, as the sender wrote it: parsing and printing again would change spaces, number
 * forms and the order of some keys, and an error must echo a subscription exactly (D22). `text` must be valid JSON.
 * A name that occurs twice means the last one, as JSON.parse has it. Undefined when it is not there.
 */
export function memberText(text: string, name: string): MemberText | undefined {
  let found: MemberText | undefined;
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    // A key may be written with escapes; only JSON.parse says what it means.
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const { end, depth } = valueEnd(text, start);
    if (key === name) found = { text: text.slice(start, end), depth };
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return found;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** The place behind the string that starts at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The place behind the value that starts at `from`. Not recursive: a client decides how deep its message is. */
function valueEnd(text: string, from: number): { readonly end: number; readonly depth: number } {
  let depth = 0;
  let deepest = 0;
  let at = from;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      if (depth === 0) return { end: at, depth: deepest };
      continue;
    }
    if (character === '{' || character === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') {
      // A bare number or literal ends where the object around it does.
      if (depth === 0) return { end: at, depth: deepest };
      depth -= 1;
      if (depth === 0) return { end: at + 1, depth: deepest };
    } else if (depth === 0 && (character === ',' || text.charCodeAt(at) <= 32)) {
      return { end: at, depth: deepest };
    }
    at += 1;
  }
  return { end: at, depth: deepest };
}
