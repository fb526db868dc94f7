import { HEAD_HEIGHT } from './grid-edges.tsx';

/** A cell of a grid by its position. */
export interface Cell {
  /** -1 for the heading. */
  readonly row: number;
  readonly column: number;
}

interface CellRange {
  readonly rowCount: number;
  readonly columnCount: number;
  /** The first row that the keyboard can reach: -1 if that is the heading. */
  readonly firstRow: number;
  /** Rows moved by Page Up and Page Down. */
  readonly page: number;
}

/** The cell that a key moves to; undefined for a key that does not move. */
export function cellAfter(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: Cell,
  { rowCount, columnCount, firstRow, page }: CellRange,
): Cell | undefined {
  const jumps = ctrlKey || metaKey;
  const moves: Readonly<Record<string, Cell>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    Home: { row: jumps ? 0 : row, column: 0 },
    End: { row: jumps ? rowCount - 1 : row, column: columnCount - 1 },
    PageDown: { row: row + page, column },
    PageUp: { row: Math.max(0, row - page), column },
  };
  const to = moves[key];
  return (
    to && {
      row: Math.max(firstRow, Math.min(rowCount - 1, to.row)),
      column: Math.max(0, Math.min(columnCount - 1, to.column)),
    }
  );
}

/** Rows moved by a page key in a grid of this height; a few visible rows stay in view. */
export function pageOf(element: HTMLElement | null, rowHeight: number): number {
  return Math.max(1, Math.floor((element?.clientHeight ?? 0) / rowHeight) - 3);
}

/** Scrolls a cell into view, beside the pinned column and between heading and totals. */
export function revealCell(
  element: HTMLElement | null,
  { row, column }: Cell,
  {
    rowHeight,
    lefts,
    hasTotals,
  }: { readonly rowHeight: number; readonly lefts: readonly number[]; readonly hasTotals: boolean },
): void {
  if (element === null) return;
  const top = row * rowHeight;
  const room = element.clientHeight - HEAD_HEIGHT - (hasTotals ? HEAD_HEIGHT : 0);
  if (row >= 0 && top < element.scrollTop) element.scrollTop = top;
  else if (top + rowHeight > element.scrollTop + room) element.scrollTop = top + rowHeight - room;
  if (column === 0) return;
  const left = lefts[column] ?? 0;
  const right = lefts[column + 1] ?? left;
  const pinned = lefts[1] ?? 0;
  if (left - pinned < element.scrollLeft) element.scrollLeft = left - pinned;
  else if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth;
}
