import { useState } from 'react';
import type { Cell } from './grid-cell.ts';
import type { RowSource } from './grid-column.ts';
import type { PlacedRow } from './grid-rows.ts';

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
  for (let index = 0; index < placed.length; index++) {
    if (placed.at(index)?.key === key) return { ...active, row: index };
  }
  const nearest = Math.min(row, placed.length - 1);
  return { ...active, row: nearest, key: placed.at(nearest)?.key };
}
