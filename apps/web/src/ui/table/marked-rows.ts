import { type ClipboardEvent, type RefObject, useMemo, useState } from 'react';
import { counted, wholeText } from '../format.ts';
import { toast } from '../toast.tsx';
import { type Cell, indexOfKey, type PlacedRow } from './placed-rows.ts';
import { copiedText, eachRow, type RowSource, type TableColumn } from './table-column.ts';

/** Marked rows by their keys, because the rows of a live table move. */
interface Marks {
  readonly anchor: string | undefined;
  readonly keys: ReadonlySet<string>;
  /** How many rows between them were not loaded, and so are not marked. */
  readonly notLoaded: number;
}

/** The rows that are marked to be copied, and what Ctrl+C copies: them, selected text, or else the cell that the keyboard is on. */
export function useMarkedRows<Row>(
  placed: RowSource<PlacedRow<Row>>,
  columns: readonly TableColumn<Row>[],
  table: RefObject<HTMLTableElement | null>,
) {
  const [marks, setMarks] = useState<Marks>();
  const marked = useMemo(
    () => (marks === undefined ? [] : [...eachRow(placed)].filter(({ key }) => marks.keys.has(key))),
    [placed, marks],
  );
  /** Marks the rows up to this one, from the row at which marking began, or else from `from`. */
  const markTo = (to: number, from: number) => mark(to, indexOfKey(placed, marks?.anchor) ?? Math.max(0, from));
  const mark = (to: number, from: number) => {
    const first = Math.max(0, Math.min(from, to));
    const end = Math.min(Math.max(from, to) + 1, placed.length);
    const keys = new Set<string>();
    for (let index = first; index < end; index++) {
      const key = placed.at(index)?.key;
      if (key !== undefined) keys.add(key);
    }
    setMarks({ anchor: placed.at(from)?.key, keys, notLoaded: end - first - keys.size });
  };
  const onCopy = (event: ClipboardEvent, { row, column }: Cell) => {
    const hasMarks = marked.length > 0;
    const copiedOf = (cell: HTMLTableCellElement) => {
      const { row: index } = cell.closest<HTMLElement>('[data-row]')?.dataset ?? {};
      const item = index === undefined ? undefined : placed.at(Number(index));
      const of = columns.find(({ id }) => id === cell.dataset.column);
      return item === undefined || of === undefined ? cell.textContent.trim() : copiedText(of, item.row);
    };
    const selected = hasMarks ? undefined : selectedCells(table.current, copiedOf);
    const current = row < 0 ? undefined : placed.at(row);
    const copied = hasMarks || current === undefined ? marked : [current];
    if (selected === null || (selected === undefined && copied.length === 0)) return;
    const cells = hasMarks ? columns : columns.slice(column, column + 1);
    const lines = copied.map((item) => cells.map((each) => copiedText(each, item.row)).join('\t'));
    event.clipboardData.setData('text/plain', selected ?? lines.join('\n'));
    event.preventDefault();
    if (!hasMarks) return;
    const notLoaded = marks?.notLoaded ?? 0;
    toast(`${counted(lines.length, 'row')} copied${notLoaded > 0 ? `, ${wholeText(notLoaded)} not loaded` : ''}`);
  };
  return {
    count: marked.length,
    has: (key: string) => marks?.keys.has(key) === true,
    mark,
    markTo,
    clear: () => setMarks(undefined),
    onCopy,
  };
}

/** The cells of a selection, with tabs between them: null for text within one cell, which the browser copies. */
function selectedCells(
  table: HTMLTableElement | null,
  copiedOf: (cell: HTMLTableCellElement) => string,
): string | null | undefined {
  const selection = document.getSelection();
  if (table === null || selection === null || selection.isCollapsed) return undefined;
  // Totals are rounded, and without an exact text to copy.
  const rows = [...table.rows].filter((row) => row.parentNode !== table.tFoot && selection.containsNode(row, true));
  const cells = rows.map((row) => [...row.cells].filter((cell) => selection.containsNode(cell, true)));
  if (cells.flat().length < 2) return null;
  return cells.map((row) => row.map(copiedOf).join('\t')).join('\n');
}
