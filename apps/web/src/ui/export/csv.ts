import type { DecimalString } from '@l4desk/protocol';

type Of<Row, Value> = (row: Row) => Value | null | undefined;

/** A column of an export. Null and undefined are an empty cell. */
export type ExportColumn<Row> = { readonly name: string } & (
  | { readonly text: Of<Row, string> }
  /** A decimal with every digit kept, a count or a flag. */
  | { readonly value: Of<Row, DecimalString | number | boolean> }
  /** An oid, a cloid or an address: a name that may look like a number. */
  | { readonly id: Of<Row, string | number> }
  /** Written as two columns: `time` in ISO-8601 UTC and `time_ms`, ms since the Unix epoch. */
  | { readonly moment: Of<Row, number> }
);

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
  if ('text' in column) return [quoted(harmless(column.text(row) ?? ''))];
  if ('id' in column) return [quoted(idCell(String(column.id(row) ?? '')))];
  return fieldsOf(column, row).map(([, value]) => String(value ?? ''));
}

function fieldsOf<Row>(column: ExportColumn<Row>, row: Row): [string, string | number | boolean | null][] {
  const { name } = column;
  if ('moment' in column) {
    const at = column.moment(row) ?? null;
    return [
      [name, at === null ? null : new Date(at).toISOString()],
      [`${name}_ms`, at],
    ];
  }
  if ('text' in column) return [[name, column.text(row) ?? null]];
  if ('value' in column) return [[name, column.value(row) ?? null]];
  return [[name, column.id(row)?.toString() ?? null]];
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
