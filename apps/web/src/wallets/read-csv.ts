/** One record of a CSV text and the line it starts on, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text of a file: UTF-16 if it begins with a byte order mark of it, else UTF-8, or Windows-1252 as spreadsheets write it. */
export function textOfFile(bytes: Uint8Array<ArrayBuffer>): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Reads RFC 4180 with commas, semicolons or tabs, whichever comes first in the first line; skips empty lines. Lines end in LF,
 * CRLF or CR.
 */
export function readCsv(text: string): readonly CsvRecord[] {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const firstLine = source.trimStart().split('\n', 1)[0] ?? '';
  // The others may be part of what a line says: `0x…, maker, desk, fast;small`.
  const separator = /[\t;,]/.exec(firstLine)?.[0] ?? ',';
  // A quote that is not closed before a separator or the end of a line is text: it must not swallow the lines after it.
  const quoted = new RegExp(`"([^"]*(?:""[^"]*)*)"[^\\S\\n\\t]*(?=[${separator}\\n]|$)`, 'y');
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let startedOn = 1;
  const endRecord = () => {
    cells.push(cell);
    if (cells.some((item) => item.trim() !== '')) records.push({ line: startedOn, cells });
    cells = [];
    cell = '';
    startedOn = line;
  };
  for (let at = 0; at < source.length; at++) {
    const mark = source.charAt(at);
    quoted.lastIndex = at;
    const match = mark === '"' && cell.trim() === '' ? quoted.exec(source) : null;
    if (match !== null) {
      const [whole, inside = ''] = match;
      cell = inside.replaceAll('""', '"');
      line += inside.split('\n').length - 1;
      at += whole.length - 1;
    } else if (mark === separator) {
      cells.push(cell);
      cell = '';
    } else if (mark === '\n') {
      line++;
      endRecord();
    } else cell += mark;
  }
  endRecord();
  return records;
}
