import { useMemo, useState } from 'react';
import { numberWidth } from '../number-width.ts';
import { eachRow, type RowSource, type TableColumn, type TitledColumn } from './table-column.ts';

/** Whether a text of digits surely fits its column: such a cell is not clipped, because clipping costs time in every frame. */
export function isSurelyInside(text: string, { width = 0 }: TitledColumn): boolean {
  return numberWidth(text.length) <= width;
}

/**
 * The columns with their widths: one with `text` is as wide as its longest text so far. It does not get narrower while the table
 * is `of` the same book, because its neighbours would move with its numbers.
 */
export function useMeasured<Row>(
  columns: readonly TableColumn<Row>[],
  rows: RowSource<Row>,
  of: string | number | undefined,
): readonly TableColumn<Row>[] {
  const [known, setKnown] = useState<{ readonly of: typeof of; readonly lengths: Lengths }>({
    of,
    lengths: NO_LENGTHS,
  });
  const longest = useMemo(() => longestTexts(columns, rows), [columns, rows]);
  const before = known.of === of ? known.lengths : NO_LENGTHS;
  const isLonger = Object.entries(longest).some(([id, length]) => length > (before[id] ?? 0));
  const lengths = useMemo(
    () =>
      isLonger
        ? Object.fromEntries(Object.entries(longest).map(([id, length]) => [id, Math.max(length, before[id] ?? 0)]))
        : before,
    [isLonger, longest, before],
  );
  if (known.of !== of || isLonger) setKnown({ of, lengths });
  return useMemo(
    () =>
      columns.map((column) => {
        const length = lengths[column.id];
        return length === undefined ? column : { ...column, width: numberWidth(length, column.width) };
      }),
    [columns, lengths],
  );
}

type Lengths = Readonly<Record<string, number>>;

const NO_LENGTHS: Lengths = {};

function longestTexts<Row>(columns: readonly TableColumn<Row>[], rows: RowSource<Row>): Lengths {
  const longest: Record<string, number> = {};
  for (const { id, text, title } of columns) {
    if (text === undefined) continue;
    longest[id] = title.length;
    for (const row of eachRow(rows)) longest[id] = Math.max(longest[id] ?? 0, text(row).length);
  }
  return longest;
}

const sum = (columns: readonly TitledColumn[]) => columns.reduce((total, { width = 0 }) => total + width, 0);

/** The columns for which a table of this width has room, px; 0 before it is laid out. One without `leaves` stays. */
export function fittingColumns<Column extends TitledColumn & { readonly fixed?: boolean }>(
  columns: readonly Column[],
  width: number,
  isPhone: boolean,
): readonly Column[] {
  const isNarrow = isPhone && columns.some(({ narrow }) => narrow);
  let fitting = isNarrow ? columns.filter(({ narrow, fixed }) => narrow || fixed) : columns;
  const isTooWide = () => width > 0 && sum(fitting) > width;
  while (isTooWide()) {
    const most = Math.max(...fitting.map(({ leaves = 0 }) => leaves));
    if (most <= 0) return fitting.map((column) => (column.least === undefined ? column : cut(column, column.least)));
    fitting = fitting.filter(({ leaves }) => leaves !== most);
  }
  return fitting;
}

const cut = <Column extends TitledColumn>(column: Column, least: number): Column => ({
  ...column,
  width: least,
  widest: column.width,
});

export interface ShownColumn<Column> {
  readonly column: Column;
  readonly at: number;
}

/** The left edge of each column, and the right edge of the last one, px. */
export function leftEdges(columns: readonly TitledColumn[]): readonly number[] {
  const edges = [0];
  for (const { width = 0 } of columns) edges.push((edges.at(-1) ?? 0) + width);
  return edges;
}

/** The rendered columns with their indexes: the pinned first one, and `first … end - 1`. */
export function shownColumns<Column>(
  columns: readonly Column[],
  first: number,
  end: number,
): readonly ShownColumn<Column>[] {
  return columns.flatMap((column, at) => (at === 0 || (at >= first && at < end) ? [{ column, at }] : []));
}

/** The tracks of a row: the pinned column, what is scrolled out on the left, the rendered columns, and the rest on the right. */
export function tracks(columns: readonly TitledColumn[], first: number, end: number): string {
  const track = ({ width = 0, widest, grow = false }: TitledColumn) => {
    return grow ? `minmax(${width}px,1fr)` : widest === undefined ? `${width}px` : `minmax(${width}px,${widest}px)`;
  };
  const rest = sum(columns.slice(Math.max(1, end)));
  const isFilled = columns.some(({ grow }) => grow);
  return [
    ...columns.slice(0, 1).map(track),
    `${sum(columns.slice(1, first))}px`,
    ...columns.slice(first, end).map(track),
    isFilled ? `${rest}px` : `minmax(${rest}px,1fr)`,
  ].join(' ');
}

/** The tracks of a short table: never narrower than their contents, and the rest for columns that grow, whose words may be cut. */
export function shortTracks(columns: readonly TitledColumn[]): string {
  return columns.map(({ grow }) => (grow ? 'minmax(56px,1fr)' : 'minmax(max-content,auto)')).join(' ');
}
