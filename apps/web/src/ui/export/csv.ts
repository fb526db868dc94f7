/** The value of a cell in an export: exact text, decimal, whole number, flag or id; null for no value. */
export type ExportValue =
  | { readonly kind: 'text'; readonly value: string }
  /** A decimal with every digit kept. */
  | { readonly kind: 'decimal'; readonly value: string }
  | { readonly kind: 'count'; readonly value: number }
  | { readonly kind: 'flag'; readonly value: boolean }
  /** An oid, a cloid or an address: a name that may look like a number. */
  | { readonly kind: 'id'; readonly value: string | number }
  | null;

/** A column of an export. A moment is written as two columns: `time` in ISO-8601 UTC and `time_ms`, ms since the Unix epoch. */
export type ExportColumn<Row> =
  | { readonly name: string; readonly value: (row: Row) => ExportValue }
  | { readonly name: string; readonly moment: (row: Row) => number | null };

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

export const text = (value: string | null | undefined): ExportValue =>
  isAbsent(value) ? null : { kind: 'text', value };
export const decimal = (value: string | null | undefined): ExportValue =>
  isAbsent(value) ? null : { kind: 'decimal', value };
export const count = (value: number | null | undefined): ExportValue =>
  isAbsent(value) ? null : { kind: 'count', value };
export const flag = (value: boolean): ExportValue => ({ kind: 'flag', value });
export const id = (value: string | number | null | undefined): ExportValue =>
  isAbsent(value) ? null : { kind: 'id', value };

/**
 * RFC 4180 with a heading line. Every digit survives a spreadsheet: an id too long to be an exact number is written so that it
 * is read as text, and a text that starts like a formula gets a leading apostrophe. Decimals are written as they are.
 */
export function csvOf<Row>(columns: readonly ExportColumn<Row>[], rows: Iterable<Row>): string {
  const lines = [columns.flatMap(namesOf).map(quoted).join(',')];
  for (const row of rows) lines.push(columns.flatMap((column) => cellsOf(column, row)).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/** One object per row, in row order. Decimals and ids are texts; only counts are numbers. */
export function jsonOf<Row>(
  columns: readonly ExportColumn<Row>[],
  rows: Iterable<Row>,
  facts: Readonly<Record<string, unknown>> = {},
): string {
  const written = Array.from(rows, (row) => Object.fromEntries(columns.flatMap((column) => fieldsOf(column, row))));
  return `${JSON.stringify({ ...facts, rows: written }, null, 2)}\n`;
}

function namesOf<Row>(column: ExportColumn<Row>): string[] {
  return 'moment' in column ? [column.name, `${column.name}_ms`] : [column.name];
}

function cellsOf<Row>(column: ExportColumn<Row>, row: Row): string[] {
  if ('moment' in column) {
    const at = column.moment(row);
    return at === null ? ['', ''] : [new Date(at).toISOString(), String(at)];
  }
  const cell = column.value(row);
  if (cell === null) return [''];
  switch (cell.kind) {
    case 'text':
      return [quoted(harmless(cell.value))];
    case 'id':
      return [quoted(idCell(String(cell.value)))];
    default:
      return [String(cell.value)];
  }
}

function fieldsOf<Row>(column: ExportColumn<Row>, row: Row): [string, unknown][] {
  if ('moment' in column) {
    const at = column.moment(row);
    return [
      [column.name, at === null ? null : new Date(at).toISOString()],
      [`${column.name}_ms`, at],
    ];
  }
  const cell = column.value(row);
  return [[column.name, cell === null ? null : cell.kind === 'id' ? String(cell.value) : cell.value]];
}

/**
 * A spreadsheet keeps 15 digits of a number, and reads `1e5` as one. Such an id gets a leading apostrophe, so that it stays
 * text.
 */
function idCell(value: string): string {
  return /^\d{1,15}$/.test(value) && !/^0\d/.test(value)
    ? value
    : /^[\d.]+(e\d+)?$/i.test(value)
      ? `'${value}`
      : harmless(value);
}

/** Puts an apostrophe before a text that a spreadsheet would run as a formula; some also accept the full-width signs. */
function harmless(value: string): string {
  return /^\s*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
}

function quoted(value: string): string {
  return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** `l4desk-balances-20260505T140211Z.csv`: characters that a file name cannot hold become dashes. */
export function exportFileName(parts: readonly string[], at: Date, ending: 'csv' | 'json' | 'png' | 'svg'): string {
  const stamp = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const name = ['l4desk', ...parts, stamp].join('-').replaceAll(/[^\w.-]+/g, '-');
  return `${name}.${ending}`;
}
