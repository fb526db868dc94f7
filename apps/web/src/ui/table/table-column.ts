import type { ReactNode } from 'react';

/** A column that is shown only if the user shows it. */
export const CHOSEN = Number.POSITIVE_INFINITY;

/** The part of a column that does not depend on its rows. */
export interface TitledColumn {
  /** Its id in layouts and sort orders; never changes. */
  readonly id: string;
  readonly title: string;
  /** Its title is the name of a wallet, which the privacy preference blurs. */
  readonly isPrivate?: boolean;
  readonly hint?: string;
  /** Width in px; of a column with `text` at least. Columns of a short table need none. */
  readonly width?: number;
  /** Px to which the column is cut where a table without room has left out all that it may leave out. */
  readonly least?: number;
  /** Maximum width in px. Spare width goes to these columns first, then to those with `grow`. */
  readonly widest?: number;
  /** `end` for numbers: tabular digits, right-aligned; pad them so that decimal points align. `start` by default. */
  readonly align?: 'start' | 'end';
  /** The page sorts its rows by this column; one with `sortBy` needs no mark. */
  readonly sortable?: boolean;
  /** The first order after a click on its heading; by default numbers start with the largest, words with the first. */
  readonly first?: 'ascending';
  readonly grow?: boolean;
  /** Shown on a phone. If no column sets it, all are shown. */
  readonly narrow?: boolean;
  /** A table without room for all columns leaves out those with the highest number first, instead of scrolling sideways. */
  readonly leaves?: number;
}

export type SortKey = bigint | number | string | undefined;

/** One column of a table: with `text`, which is as wide as its longest text so far, or with `cell`; with both it shows the cell. */
export interface TableColumn<Row> extends TitledColumn {
  readonly text?: (row: Row) => string;
  readonly cell?: (row: Row) => ReactNode;
  /** What `sortedRows` sorts its rows by. */
  readonly sortBy?: (row: Row) => SortKey;
  /** What is copied of a cell. If absent, its text, of numbers without commas and with a hyphen as the minus; so a `cell` that returns an element needs it. */
  readonly copied?: (row: Row) => string | undefined;
  /** Class names of a cell, to colour its text without an extra element. */
  readonly lookOf?: (row: Row) => string | undefined;
  readonly hintOf?: (row: Row) => string | undefined;
  /** Its texts are blurred by the privacy preference; the outline of a cell is not. */
  readonly hasSecrets?: boolean;
  /** Shown in the totals row; a table has that row if any column has a total. */
  readonly total?: ReactNode;
  readonly fixed?: boolean;
  /** Window width in px from which it is shown, 0, 1920, 2400 or `CHOSEN`: a wide table gets more columns, not wider ones. */
  readonly shownFrom?: number;
}

/** Whether a click on the heading of a column changes the order of the rows. */
export const isSortable = (column: TitledColumn): boolean => column.sortable === true || 'sortBy' in column;

/** What is copied of a cell, whether it is rendered or not. */
export function copiedText<Row>({ align, copied, text, cell }: TableColumn<Row>, row: Row): string {
  if (copied !== undefined) return copied(row) ?? '';
  const content = text?.(row) ?? cell?.(row);
  if (typeof content !== 'string') return '';
  const shown = content.trim();
  // A spreadsheet reads neither grouping commas nor a typographic minus.
  return align === 'end' ? shown.replaceAll(/,(?=\d{3})/g, '').replaceAll('−', '-') : shown;
}

/** The sort order of the rows; undefined means the page's default. */
export interface TableSort {
  readonly column: string;
  readonly descending: boolean;
}

/** Rows by index: an array, or anything with the same access that is not built, or not loaded, as a whole. */
export interface RowSource<Row> {
  readonly length: number;
  at(index: number): Row | undefined;
}

export function* eachRow<Row>(rows: RowSource<Row>): Generator<Row> {
  for (let index = 0; index < rows.length; index++) {
    const row = rows.at(index);
    if (row !== undefined) yield row;
  }
}

/**
 * Whether a row's numbers are current: `stale` and `error` show the last good ones, `never` has none. `text` gives the reason.
 */
export type RowState = { readonly kind: 'ok' } | { readonly kind: 'stale' | 'error' | 'never'; readonly text: string };

/** A sort order as in the address: `price`, or `-price` for descending. */
export function sortText(sort: TableSort | undefined): string | undefined {
  return sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`;
}

export function readSort(text: string | undefined, columns: readonly { readonly id: string }[]): TableSort | undefined {
  if (text === undefined) return undefined;
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return columns.some(({ id }) => id === column) ? { column, descending } : undefined;
}

/** The next sort order after a click on a heading; the third click clears it. */
export function nextSort(sort: TableSort | undefined, column: TitledColumn): TableSort | undefined {
  const first = column.align === 'end' && column.first !== 'ascending';
  if (sort?.column !== column.id) return { column: column.id, descending: first };
  return sort.descending === first ? { column: column.id, descending: !first } : undefined;
}
