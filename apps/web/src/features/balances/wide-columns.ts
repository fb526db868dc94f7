import type { TableColumn, WideWindow } from '../../ui/table/table-column.ts';

const WIDE_WINDOWS: readonly WideWindow[] = [1920, 2400];

/** Width not available to columns, px: the edges of a window and a scroll bar. */
const EDGES = 24;

/**
 * The columns, followed by those for a wide window: set by set, each as a whole, and only from a width at which they need no
 * sideways scrolling. A set that fits no window is left out, as are the sets after it.
 */
export function withFurther<Row>(
  columns: readonly TableColumn<Row>[],
  sets: readonly (readonly TableColumn<Row>[])[],
): readonly TableColumn<Row>[] {
  const all = [...columns];
  let width = EDGES + widthOf(columns.filter(({ hidden, shownFrom }) => hidden !== true || shownFrom !== undefined));
  for (const set of sets) {
    width += widthOf(set);
    const shownFrom = WIDE_WINDOWS.find((window) => width <= window);
    if (shownFrom === undefined) return all;
    all.push(...set.map((column) => ({ ...column, hidden: true, shownFrom })));
  }
  return all;
}

function widthOf(columns: readonly { readonly width?: number }[]): number {
  return columns.reduce((sum, { width = 0 }) => sum + width, 0);
}
