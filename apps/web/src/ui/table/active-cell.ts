import { useState } from 'react';
import { indexOfKey, type PlacedRow } from './placed-rows.ts';
import type { RowSource } from './table-column.ts';

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
  readonly page: number;
  /** Home and End move between rows, because a row is what the keys choose. */
  readonly isList: boolean;
}

/** The cell that a key moves to; undefined for a key that does not move. */
export function cellAfter(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: Cell,
  { rowCount, columnCount, firstRow, page, isList }: CellRange,
): Cell | undefined {
  const jumps = ctrlKey || metaKey || isList;
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

interface ActiveCell extends Cell {
  /** The key of the row that it follows. */
  readonly key?: string | undefined;
}

/**
 * The cell that the keyboard is on. If it `follows` its row, it stays on that row when the rows are listed in another order; if
 * the row is gone, on the one in its place.
 */
export function useActiveCell<Row>(
  placed: RowSource<PlacedRow<Row>>,
  columnCount: number,
  follows: boolean,
): readonly [Cell, (cell: Cell) => void] {
  const [active, setActive] = useState<ActiveCell>({ row: 0, column: 0 });
  const next = followed(active, placed);
  if (next !== active) setActive(next);
  const cell = { row: Math.min(next.row, placed.length - 1), column: Math.min(next.column, columnCount - 1) };
  const activate = ({ row, column }: Cell) =>
    setActive({ row, column, key: follows && row >= 0 ? placed.at(row)?.key : undefined });
  return [cell, activate];
}

function followed<Row>(active: ActiveCell, placed: RowSource<PlacedRow<Row>>): ActiveCell {
  const { row, key } = active;
  if (key === undefined || placed.length === 0 || placed.at(row)?.key === key) return active;
  const index = indexOfKey(placed, key);
  if (index !== undefined) return { ...active, row: index };
  const nearest = Math.min(row, placed.length - 1);
  return { ...active, row: nearest, key: placed.at(nearest)?.key };
}
