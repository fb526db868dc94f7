import type { ReactNode } from 'react';

/** Widths of the window, in px, at which grids have room for more columns. */
export type WideWindow = 1920 | 2400;

/** What the heading of a grid knows of a column. */
export interface TitledColumn {
  /** Its name in layouts and sort orders; never changes. */
  readonly id: string;
  /** Its heading. */
  readonly title: string;
  /** More about it, for the tooltip of the heading. */
  readonly hint?: string;
  /** Px. */
  readonly width: number;
  /** Px up to which it grows, before any column that takes a share, where width is left over. */
  readonly widest?: number;
  /** `end` for numbers: tabular digits, right-aligned; pad them so that points align. `start` when left out. */
  readonly align?: 'start' | 'end';
  /** Can be sorted by; the page sorts. */
  readonly sortable?: boolean;
  /** Takes a share of the width that is left over. */
  readonly grow?: boolean;
}

/** One column of a grid. */
export interface GridColumn<Row> extends TitledColumn {
  readonly cell: (row: Row) => ReactNode;
  /** Classes of a cell: colours its text without a box around it. */
  readonly lookOf?: (row: Row) => string | undefined;
  /** More about a cell, for its tooltip: read when the pointer is on it. */
  readonly hintOf?: (row: Row) => string | undefined;
  /** Shown in the totals row; a grid has one when any column has a total. */
  readonly total?: ReactNode;
  /** Always there: not offered in the chooser. */
  readonly fixed?: boolean;
  /** Not shown until chosen, or until the window is as wide as `shownFrom`. */
  readonly hidden?: boolean;
  /** Px of the window from which a hidden column is shown: a wide table has more columns, not wider ones. */
  readonly shownFrom?: WideWindow | undefined;
  /** Stays on a narrow screen, this many px wide if it is a number; where no column says so, all stay. */
  readonly narrow?: boolean | number;
}

/** The order of the rows; undefined is the page's own. */
export interface GridSort {
  readonly column: string;
  readonly descending: boolean;
}

/** Rows by place: an array, or something that is indexed like one without being built whole. */
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

/** Whether a row's numbers are current: `stale` and `error` keep the last good ones, `never` has none. `text` says why. */
export type RowState = { readonly kind: 'ok' } | { readonly kind: 'stale' | 'error' | 'never'; readonly text: string };

/** `price` or `-price`, as the address carries a sort order. */
export function sortText(sort: GridSort | undefined): string | undefined {
  return sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`;
}

export function readSort(text: string | undefined, columns: readonly { readonly id: string }[]): GridSort | undefined {
  if (text === undefined) return undefined;
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return columns.some(({ id }) => id === column) ? { column, descending } : undefined;
}

/** What pressing a heading does: numbers begin with the largest, words with the first; the third press lets go. */
export function nextSort(sort: GridSort | undefined, column: TitledColumn): GridSort | undefined {
  const first = column.align === 'end';
  if (sort?.column !== column.id) return { column: column.id, descending: first };
  return sort.descending === first ? { column: column.id, descending: !first } : undefined;
}
