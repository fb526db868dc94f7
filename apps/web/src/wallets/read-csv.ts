/** One record of a CSV text and the line it starts on, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads RFC 4180 with commas, semicolons or tabs, whichever comes first in the first line; skips empty lines. */
export function readCsv(text: string): readonly CsvRecord[] {
  const source = text.replace(/^\uFEFF/, '');
  const firstLine = source.trimStart().split(/\r?\n/, 1)[0] ?? '';
  // The others may be part of what a line says: `0x…, maker, desk, fast;small`.
  const separator = /[\t;,]/.exec(firstLine)?.[0] ?? ',';
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
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
    if (mark === '\n') line++;
    if (isQuoted) {
      if (mark !== '"') cell += mark;
      else if (source.charAt(at + 1) === '"') {
        cell += mark;
        at++;
      } else isQuoted = false;
    } else if (mark === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (mark === separator) {
      cells.push(cell);
      cell = '';
    } else if (mark === '\n') endRecord();
    else if (mark !== '\r') cell += mark;
  }
  endRecord();
  return records;
}
