import type { DrawnRange } from './drawn-range.ts';
import type { TitledColumn } from './grid-column.ts';

/** The whole numbers from `from` up to, but not including, `end`. */
export const range = (from: number, end: number) =>
  Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);

export interface ShownColumn<Column> {
  readonly column: Column;
  readonly at: number;
}

/** The rendered columns with their indexes: the pinned one and those in view. */
export function shownColumns<Column>(
  columns: readonly Column[],
  firstColumn: number,
  endColumn: number,
): readonly ShownColumn<Column>[] {
  return [0, ...range(firstColumn, endColumn)].flatMap((at) => {
    const column = columns[at];
    return column === undefined ? [] : [{ column, at }];
  });
}

/** The left edge of each column, and the right edge of the last one, px. */
export function leftEdges(columns: readonly TitledColumn[]): readonly number[] {
  const edges = [0];
  for (const { width } of columns) edges.push((edges.at(-1) ?? 0) + width);
  return edges;
}

/**
 * The grid's tracks: the pinned column, the columns scrolled out on the left, the rendered columns, and the rest on the right.
 */
export function template(columns: readonly TitledColumn[], { firstColumn, endColumn }: DrawnRange): string {
  const track = (column: TitledColumn | undefined) => {
    const { width = 0, widest, grow = false } = column ?? {};
    return grow ? `minmax(${width}px,1fr)` : widest === undefined ? `${width}px` : `minmax(${width}px,${widest}px)`;
  };
  const gap = (from: number, end: number) =>
    columns.slice(from, end).reduce((width, column) => width + column.width, 0);
  const drawn = columns.slice(firstColumn, endColumn).map(track).join(' ');
  const grows = columns.some(({ grow }) => grow);
  const rest = gap(Math.max(1, endColumn), columns.length);
  return `${track(columns[0])} ${gap(1, firstColumn)}px ${drawn} ${grows ? `${rest}px` : `minmax(${rest}px,1fr)`}`;
}
