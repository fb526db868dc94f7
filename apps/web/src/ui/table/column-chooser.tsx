import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useMemo } from 'react';
import { useMedia } from '../../hooks/use-media.ts';
import { type GridLayout, useLayouts } from '../../state/layouts.ts';
import { Button, IconButton } from '../button.tsx';
import { Checkbox } from '../checkbox.tsx';
import { MenuButton } from '../menu-button.tsx';
import type { TableColumn } from './table-column.ts';

export function ColumnChooser<Row>({ columns }: { readonly columns: TableColumns<Row> }) {
  const { ordered, isShown, setShown, move, reset } = columns;
  const offered = ordered.filter(({ fixed }) => !fixed);
  return (
    <MenuButton icon={Columns3} name="Columns">
      <ul className="flex w-64 max-w-full flex-col">
        {offered.map((column, at) => (
          <li key={column.id} className="flex items-center justify-between gap-2">
            <Checkbox text={column.title} checked={isShown(column)} onChange={(shown) => setShown(column.id, shown)} />
            <span className="flex">
              <IconButton
                icon={ArrowUp}
                name={`${column.title} earlier`}
                disabled={at === 0}
                onClick={() => move(column.id, -1)}
              />
              <IconButton
                icon={ArrowDown}
                name={`${column.title} later`}
                disabled={at === offered.length - 1}
                onClick={() => move(column.id, 1)}
              />
            </span>
          </li>
        ))}
      </ul>
      <Button look="plain" disabled={reset === undefined} onClick={reset}>
        Reset to default
      </Button>
    </MenuButton>
  );
}

function useWideWindow(): number {
  const isWide = useMedia('(min-width: 1920px)');
  const isWidest = useMedia('(min-width: 2400px)');
  return isWidest ? 2400 : isWide ? 1920 : 0;
}

export interface TableColumns<Row> {
  /** The visible columns in order, for `<DataTable columns>`. */
  readonly shown: readonly TableColumn<Row>[];
  /** All columns in order, hidden ones included, for `<ColumnChooser>`. */
  readonly ordered: readonly TableColumn<Row>[];
  readonly isShown: (column: TableColumn<Row>) => boolean;
  readonly setShown: (id: string, shown: boolean) => void;
  /** Moves a column by one position towards the start (-1) or the end (1). */
  readonly move: (id: string, by: -1 | 1) => void;
  /** Restores the page's default layout; undefined if that is already in use. */
  readonly reset: (() => void) | undefined;
}

/** The columns of a table as the user arranged them, stored in this browser under `key`. Pass a stable list. */
export function useTableColumns<Row>(key: string, columns: readonly TableColumn<Row>[]): TableColumns<Row> {
  const layout = useLayouts((state) => state.grids[key]);
  const setGrid = useLayouts((state) => state.setGrid);
  const wide = useWideWindow();
  return useMemo(() => {
    const ordered = orderedColumns(columns, layout);
    const isShown = (column: TableColumn<Row>) => isColumnShown(column, layout, wide);
    const hidden = columns.filter((column) => !isShown(column)).map(({ id }) => id);
    const keep = (change: Partial<GridLayout>) =>
      setGrid(key, { order: ordered.map(({ id }) => id), hidden, ...change });
    return {
      ordered,
      isShown,
      shown: ordered.filter(isShown),
      setShown: (id, shown) => keep({ hidden: shown ? hidden.filter((other) => other !== id) : [...hidden, id] }),
      move: (id, by) => keep({ order: moved(ordered, id, by) }),
      reset: layout === undefined ? undefined : () => setGrid(key, undefined),
    };
  }, [columns, layout, setGrid, key, wide]);
}

/** Fixed columns first, then those ordered by the layout, then those that the layout does not know yet. */
function orderedColumns<Row>(
  columns: readonly TableColumn<Row>[],
  layout: GridLayout | undefined,
): readonly TableColumn<Row>[] {
  const place = new Map(layout?.order.map((id, at) => [id, at]));
  const rank = (column: TableColumn<Row>, at: number) =>
    column.fixed ? at - columns.length : (place.get(column.id) ?? place.size + at);
  return columns
    .map((column, at) => ({ column, rank: rank(column, at) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ column }) => column);
}

function isColumnShown<Row>(column: TableColumn<Row>, layout: GridLayout | undefined, wide: number): boolean {
  if (column.fixed) return true;
  if (layout === undefined || !layout.order.includes(column.id)) return wide >= (column.shownFrom ?? 0);
  return !layout.hidden.includes(column.id);
}

function moved<Row>(ordered: readonly TableColumn<Row>[], id: string, by: -1 | 1): string[] {
  const ids = ordered.map((column) => column.id);
  const at = ids.indexOf(id);
  const other = ids[at + by];
  if (at < 0 || other === undefined || ordered[at + by]?.fixed) return ids;
  ids[at] = other;
  ids[at + by] = id;
  return ids;
}
