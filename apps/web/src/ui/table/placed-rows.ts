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
