import type { GridColumn, WideWindow } from '../../ui/grid/grid-column.ts';

const WIDE_WINDOWS: readonly WideWindow[] = [1920, 2400];
const WIDEST = Math.max(...WIDE_WINDOWS);

/** Px that are no column's: the edges of a window and a scroll bar. */
const EDGES = 24;

/**
 * The columns, and after them those for a wide window: set after set, each whole and only where it makes nobody scroll
 * sideways. A set that no window has room for, and those after it, are left out. A column is taken from its set only
 * while there is room, so that sets made as they are taken cost nothing beside many columns.
 */
export function withFurther<Row>(
  columns: readonly GridColumn<Row>[],
  sets: Iterable<Iterable<GridColumn<Row>>>,
): readonly GridColumn<Row>[] {
  const all = [...columns];
  let width = EDGES + widthOf(columns.filter(({ hidden, shownFrom }) => hidden !== true || shownFrom !== undefined));
  for (const set of sets) {
    const further: GridColumn<Row>[] = [];
    for (const column of set) {
      width += column.width;
      if (width > WIDEST) return all;
      further.push(column);
    }
    const shownFrom = WIDE_WINDOWS.find((window) => width <= window);
    all.push(...further.map((column) => ({ ...column, hidden: true, shownFrom })));
  }
  return all;
}

function widthOf(columns: readonly { readonly width: number }[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}
