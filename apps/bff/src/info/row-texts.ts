/**
 * The elements of a JSON array as its sender wrote them: parsing and printing again would change numbers past what a
 * double holds, their forms, and the order of some keys. `text` must be a valid JSON array of objects or arrays.
 */
export function rowTexts(text: string): string[] {
  const rows: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = closingQuote(text, at);
        break;
      case '[':
      case '{':
        depth += 1;
        if (depth === 2) start = at;
        break;
      case ']':
      case '}':
        if (depth === 2) rows.push(text.slice(start, at + 1));
        depth -= 1;
        break;
      default:
        break;
    }
  }
  return rows;
}

/** Where the string that opens at a place ends: at the next quote behind an even number of backslashes. */
function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); ; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}
