import { useState } from 'react';
import type { RowSource } from './table-column.ts';

/** A row with its position in the tree: children come below their parent, one level deeper. */
export interface PlacedRow<Row> {
  readonly row: Row;
  readonly key: string;
  /** 0 for a row of the source. */
  readonly level: number;
  /** Whether its children are shown; undefined if it has none. */
  readonly open: boolean | undefined;
}

interface Tree<Row> {
  readonly rows: RowSource<Row>;
  readonly keyOf: (row: Row) => string;
  readonly childrenOf: ((row: Row) => readonly Row[]) | undefined;
  readonly expanded: ReadonlySet<string>;
}

/** The rows of a grid, with the children of open rows between them. Copies only the children of open rows. */
export function placeRows<Row>(tree: Tree<Row>): RowSource<PlacedRow<Row>> {
  const { rows, expanded } = tree;
  const below: { readonly after: number; readonly rows: readonly PlacedRow<Row>[] }[] = [];
  if (tree.childrenOf !== undefined && expanded.size > 0) {
    for (let index = 0; index < rows.length; index++) {
      const row = rows.at(index);
      if (row === undefined || !expanded.has(tree.keyOf(row))) continue;
      const found = descendants(tree, row, 1);
      if (found.length > 0) below.push({ after: index, rows: found });
    }
  }
  const extra = below.reduce((count, part) => count + part.rows.length, 0);
  return {
    length: rows.length + extra,
    at(index) {
      let rest = index;
      for (const part of below) {
        if (rest <= part.after) break;
        if (rest <= part.after + part.rows.length) return part.rows[rest - part.after - 1];
        rest -= part.rows.length;
      }
      const row = rows.at(rest);
      return row === undefined ? undefined : place(tree, row, 0);
    },
  };
}

/** The index of the row with this key; undefined if it is gone. */
export function indexOfKey<Row>(placed: RowSource<PlacedRow<Row>>, key: string | undefined): number | undefined {
  if (key === undefined) return undefined;
  for (let index = 0; index < placed.length; index++) {
    if (placed.at(index)?.key === key) return index;
  }
  return undefined;
}

function place<Row>(tree: Tree<Row>, row: Row, level: number): PlacedRow<Row> {
  const key = tree.keyOf(row);
  const hasChildren = (tree.childrenOf?.(row).length ?? 0) > 0;
  return { row, key, level, open: hasChildren ? tree.expanded.has(key) : undefined };
}

function descendants<Row>(tree: Tree<Row>, row: Row, level: number): PlacedRow<Row>[] {
  return (tree.childrenOf?.(row) ?? []).flatMap((child) => {
    const placed = place(tree, child, level);
    return placed.open === true ? [placed, ...descendants(tree, child, level + 1)] : [placed];
  });
}

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
