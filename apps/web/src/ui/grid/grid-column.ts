import type { ReactNode } from 'react';

/** Window widths, in px, from which grids show more columns. */
export type WideWindow = 1920 | 2400;

/** The part of a column that the grid's heading needs. */
export interface TitledColumn {
  /** Its id in layouts and sort orders; never changes. */
  readonly id: string;
  /** The text of its heading. */
  readonly title: string;
  /** Its title is the name of a wallet, which the privacy preference blurs. */
  readonly isPrivate?: boolean;
  /** An explanation, for the tooltip of the heading. */
  readonly hint?: string;
  /** Width in px. */
  readonly width: number;
  /** Maximum width in px. Spare width goes to these columns first, then to those with `grow`. */
  readonly widest?: number;
  /** `end` for numbers: tabular digits, right-aligned; pad them so that decimal points align. `start` by default. */
  readonly align?: 'start' | 'end';
  /** Whether rows can be sorted by it; the page does the sorting. */
  readonly sortable?: boolean;
  /** Takes a share of the spare width. */
  readonly grow?: boolean;
}

/** One column of a grid. */
export interface GridColumn<Row> extends TitledColumn {
  readonly cell: (row: Row) => ReactNode;
  /** Class names of a cell, to colour its text without an extra element. */
  readonly lookOf?: (row: Row) => string | undefined;
  /** The tooltip of a cell; computed when the pointer is over it. */
  readonly hintOf?: (row: Row) => string | undefined;
  /** Shown in the totals row; a grid has that row if any column has a total. */
  readonly total?: ReactNode;
  /** Always shown, and not offered in the chooser. */
  readonly fixed?: boolean;
  /** Hidden until the user shows it, or until the window is as wide as `shownFrom`. */
  readonly hidden?: boolean;
  /** Window width in px from which a hidden column is shown: a wide table gets more columns, not wider ones. */
  readonly shownFrom?: WideWindow | undefined;
  /** Shown on a narrow screen, with this width in px if it is a number. If no column sets it, all are shown. */
  readonly narrow?: boolean | number;
}

/** The sort order of the rows; undefined means the page's default. */
export interface GridSort {
  readonly column: string;
  readonly descending: boolean;
}

/** Rows by index: an array, or anything with the same access that is not built as a whole. */
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
export function sortText(sort: GridSort | undefined): string | undefined {
  return sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`;
}

export function readSort(text: string | undefined, columns: readonly { readonly id: string }[]): GridSort | undefined {
  if (text === undefined) return undefined;
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return columns.some(({ id }) => id === column) ? { column, descending } : undefined;
}

/**
 * The next sort order after a click on a heading: numbers start with the largest, words with the first; the third click clears
 * it.
 */
export function nextSort(sort: GridSort | undefined, column: TitledColumn): GridSort | undefined {
  const first = column.align === 'end';
  if (sort?.column !== column.id) return { column: column.id, descending: first };
  return sort.descending === first ? { column: column.id, descending: !first } : undefined;
}
