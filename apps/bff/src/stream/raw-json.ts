/** Result of `memberText`. */
export interface MemberText {
  /** The member's value exactly as written. */
  readonly text: string;
  /** Maximum nesting depth of arrays and objects in the value. */
  readonly depth: number;
}

/**
 * Returns the original text of a member of a JSON object. Parsing and serializing it again would change spaces, number
 * formats and the order of some keys, and an error must echo a subscription exactly (D22). `text` must be valid JSON. If a
 * name occurs twice, the last one counts, as in JSON.parse. Undefined if the member does not exist.
 */
export function memberText(text: string, name: string): MemberText | undefined {
  let found: MemberText | undefined;
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    // A key may contain escapes, which JSON.parse resolves.
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

/** Index after the string that starts at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Index after the value that starts at `from`. Not recursive, because the client controls the nesting depth. */
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
      // A bare number or literal ends where the enclosing object ends.
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
