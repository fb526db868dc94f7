import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingReader } from '../../format/index.ts';
import { type Cell, columnsOf, TABLE_NAMES, type TableName, walkTables } from './tables.ts';

/** A table that was written to a file. */
export interface ExportedTable {
  readonly table: TableName;
  readonly path: string;
  readonly rows: number;
}

/** The most digits before and after the point among the prices, and among the sizes. */
interface Digits {
  whole: number;
  decimals: number;
}

export interface CsvExport {
  readonly tables: readonly ExportedTable[];
  readonly px: Readonly<Digits>;
  readonly sz: Readonly<Digits>;
}

/** Characters buffered before they are written. */
const BUFFERED_CHARACTERS = 1 << 20;

/**
 * Writes the tables of a recording as CSV (RFC 4180, with a header), one file each, into a folder that is created if missing.
 * Decimals are written as they were printed; null is an empty field. Throws RecordingError or the system's error, such as
 * `EEXIST` if a file exists already.
 */
export async function exportCsv(recording: RecordingReader, folder: string): Promise<CsvExport> {
  mkdirSync(folder, { recursive: true });
  const digits = { px: { whole: 1, decimals: 0 }, sz: { whole: 1, decimals: 0 } };
  const files = new Map<TableName, CsvFile>();
  try {
    for (const table of TABLE_NAMES) files.set(table, new CsvFile(join(folder, `${table}.csv`), table));
    const decimalColumns = new Map(
      TABLE_NAMES.map((table) => [
        table,
        columnsOf(table).flatMap(([, type], at) => (type === 'px' || type === 'sz' ? [[at, type] as const] : [])),
      ]),
    );
    await walkTables(recording, (table, cells) => {
      for (const [at, type] of decimalColumns.get(table) ?? []) widen(digits[type], cells[at]);
      files.get(table)?.row(cells);
    });
    for (const file of files.values()) file.flush();
  } finally {
    for (const file of files.values()) file[Symbol.dispose]();
  }
  const tables = [...files].map(([table, { path, rows }]) => ({ table, path, rows }));
  return { tables, ...digits };
}

function widen(digits: Digits, cell: Cell | undefined): void {
  if (typeof cell !== 'string') return;
  const point = cell.indexOf('.');
  digits.whole = Math.max(digits.whole, point < 0 ? cell.length : point);
  digits.decimals = Math.max(digits.decimals, point < 0 ? 0 : cell.length - point - 1);
}

class CsvFile implements Disposable {
  readonly path: string;
  readonly #fd: number;
  #text: string;
  rows = 0;

  constructor(path: string, table: TableName) {
    this.path = path;
    this.#fd = openSync(path, 'wx');
    this.#text = `${columnsOf(table)
      .map(([name]) => name)
      .join(',')}\n`;
  }

  row(cells: readonly Cell[]): void {
    this.#text += `${cells.map(csvCell).join(',')}\n`;
    this.rows += 1;
    if (this.#text.length >= BUFFERED_CHARACTERS) this.flush();
  }

  flush(): void {
    const bytes = Buffer.from(this.#text);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    this.#text = '';
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  return cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
