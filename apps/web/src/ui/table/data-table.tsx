/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- laid out as grids, the tags of a table may lose their roles */
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { latinKey } from '../../hooks/actions.ts';
import { COARSE_POINTER, useMedia } from '../../hooks/use-media.ts';
import { usePreferences } from '../../state/preferences.ts';
import { counted, wholeText } from '../format.ts';
import { useMarkedRows } from './marked-rows.ts';
import { cellAfter, type PlacedRow, placeRows, useActiveCell } from './placed-rows.ts';
import { useSelectedRowInView } from './selected-row.ts';
import {
  eachRow,
  isSortable,
  nextSort,
  type RowSource,
  type RowState,
  type TableColumn,
  type TableSort,
} from './table-column.ts';
import { Heading, Totals } from './table-edges.tsx';
import { shortTracks, tracks, useMeasured } from './table-layout.ts';
import { TableRow } from './table-row.tsx';
import { useTableWindow } from './table-window.ts';

declare module 'react' {
  interface CSSProperties {
    /** The tracks of every row of a table. */
    '--columns'?: string;
    /** Line height of a cell with only text. */
    '--line'?: string;
  }
}

interface DataTableProps<Row> {
  readonly name: string;
  /** The visible columns in order, the first one pinned; of a page from `useTableColumns`. Pass a stable list. */
  readonly columns: readonly TableColumn<Row>[];
  /** Rows filtered and sorted by the page. */
  readonly rows: RowSource<Row>;
  readonly keyOf: (row: Row) => string;
  readonly stateOf?: (row: Row) => RowState;
  readonly sort?: TableSort | undefined;
  readonly onSort?: (sort: TableSort | undefined) => void;
  /** Key of the row shown in the inspector, or of the current one. */
  readonly selected?: string | undefined;
  readonly onOpen?: (row: Row) => void;
  /** Called when a key moves to another row: then Home and End move between rows. */
  readonly onMove?: (row: Row) => void;
  /** Whether the active cell stays on its row, by key, when the rows are listed in another order: for rows that move by themselves. */
  readonly followsRow?: boolean;
  readonly childrenOf?: (row: Row) => readonly Row[];
  /**
   * Whether a row is only the heading of its children: Enter or a click opens and closes it, `*` all of them. Pass a stable
   * function.
   */
  readonly isGroup?: (row: Row) => boolean;
  readonly empty?: ReactNode;
  /** Few rows, rendered whole in the room that they need, and high enough for controls; the first column names the row. */
  readonly isShort?: boolean;
  /** What the rows are of, for example the generation of a book: the columns with `text` only widen while it is the same. */
  readonly of?: string | number | undefined;
  /** The rows that such columns are as wide as, if not its own: tables with the same ones have equal columns. */
  readonly measured?: RowSource<Row>;
  readonly scroller?: RefObject<HTMLTableElement | null>;
  readonly dataOf?: (row: Row) => Readonly<Record<`data-${string}`, string | number>>;
}

/** Row heights in px: `coarse` for touch, otherwise by the density. */
const ROW_HEIGHTS = { compact: 20, comfortable: 26, coarse: 32 } as const;

export function useRowHeight(): number {
  const density = usePreferences((state) => state.density);
  const isCoarse = useMedia(COARSE_POINTER);
  return ROW_HEIGHTS[isCoarse ? 'coarse' : density];
}

/** A table with virtual rows and columns, a sticky heading and sticky totals, and keyboard navigation. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, rows, keyOf, stateOf, sort, onSort, selected, onOpen, onMove, followsRow = false } = props;
  const { childrenOf, isGroup, empty, isShort = false, of, dataOf } = props;
  const id = useId();
  const own = useRef<HTMLTableElement>(null);
  const scroller = props.scroller ?? own;
  const height = useRowHeight();
  const rowHeight = isShort ? Math.max(height, 24) : height;
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const placed = useMemo(() => placeRows({ rows, keyOf, childrenOf, expanded }), [rows, keyOf, childrenOf, expanded]);

  const view = useTableWindow({
    columns: useMeasured(props.columns, props.measured ?? rows, of),
    rowCount: placed.length,
    rowHeight,
    isShort,
    scroller,
  });
  const { columns, firstColumn, endColumn, firstRow, endRow, fullWidth, hasTotals, isPrinting } = view;
  const { choose, touch } = useSelectedRowInView({
    selected,
    placed,
    isLaidOut: view.isLaidOut,
    isOnce: followsRow,
    scrollTo: view.rowWindow,
  });
  const [{ row, column }, setActive] = useActiveCell(placed, columns.length, followsRow);
  const look = {
    columns: view.shown,
    first: isShort ? 0 : firstColumn,
    isPinned: view.isPinned,
    isShort,
    isTree: childrenOf !== undefined,
  };

  const toggle = ({ key, open }: PlacedRow<Row>) => {
    const next = new Set(expanded);
    if (open === true) next.delete(key);
    else next.add(key);
    setExpanded(next);
  };

  const groups = useMemo(
    () => (isGroup === undefined ? [] : [...eachRow(rows)].filter(isGroup).map(keyOf)),
    [rows, keyOf, isGroup],
  );
  const areAllOpen = groups.length > 0 && groups.every((key) => expanded.has(key));
  const toggleAll = () => setExpanded(new Set(areAllOpen ? [] : groups));
  const openRow = (target: PlacedRow<Row>) => {
    if (isGroup?.(target.row) === true) return toggle(target);
    choose(target.key);
    onOpen?.(target.row);
  };

  const marks = useMarkedRows(placed, columns, scroller);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || (event.target !== scroller.current && event.key === 'Enter')) return;
    const current = placed.at(row);
    const to = cellAfter(
      event,
      { row, column },
      {
        rowCount: placed.length,
        columnCount: columns.length,
        firstRow: onSort !== undefined || columns.some(({ hint }) => hint !== undefined) ? -1 : 0,
        // A few visible rows stay in view.
        page: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 3),
        isList: onMove !== undefined,
      },
    );
    const toggled = { ArrowRight: false, ArrowLeft: true }[event.key];
    const heading = columns[column];
    const isAll = latinKey(event) === 'a' && (event.ctrlKey || event.metaKey);
    if (column === 0 && toggled !== undefined && current?.open === toggled) toggle(current);
    else if (isAll) marks.mark(placed.length - 1, 0);
    else if (event.key === ' ' && event.shiftKey) marks.mark(row, row);
    else if (event.key === 'Escape' && marks.count > 0) marks.clear();
    else if (to !== undefined) {
      if (event.shiftKey && to.row >= 0) marks.markTo(to.row, row);
      else marks.clear();
      setActive(to);
      if (to.row >= 0) view.rowWindow.scrollToIndex(to.row);
      if (to.column > 0) view.columnWindow.scrollToIndex(to.column);
      const next = placed.at(to.row);
      if (onMove !== undefined && to.row !== row && to.row >= 0 && next !== undefined) {
        choose(next.key);
        onMove(next.row);
      }
    } else if (event.key === '*' && groups.length > 0) toggleAll();
    else if (event.key !== 'Enter') return;
    else if (row < 0 && heading !== undefined && isSortable(heading)) onSort?.(nextSort(sort, heading));
    else if (row >= 0 && current !== undefined) openRow(current);
    event.preventDefault();
    event.stopPropagation();
  };

  const onClick = (event: MouseEvent) => {
    // One of assistive technology may come without a pointer.
    touch();
    if (!(event.target instanceof Element)) return;
    const index = Number(event.target.closest<HTMLElement>('[data-row]')?.dataset.row ?? -1);
    const found = index < 0 ? undefined : placed.at(index);
    if (found === undefined) return;
    const pressed = event.target.closest<HTMLElement>('[data-column]')?.dataset.column;
    const at = columns.findIndex((item) => item.id === pressed);
    if (event.shiftKey) {
      marks.markTo(index, row);
      return;
    }
    marks.clear();
    setActive({ row: index, column: Math.max(0, at) });
    if (event.target.closest('[data-toggle]') !== null) toggle(found);
    // A click on a control inside a cell, or one that selects text, is not a click on the row.
    else if (event.target.closest('button, a, input') === null && !document.getSelection()?.toString()) {
      openRow(found);
    }
  };

  const isDrawn = row < 0 || (row >= firstRow && row < endRow);
  const activeId = row < 0 ? `${id}-head-${column}` : `${id}-${row}-${column}`;
  const drawnRows = Array.from({ length: Math.max(0, endRow - firstRow) }, (_, at) => firstRow + at);
  const body = drawnRows.map((index) => {
    const item = placed.at(index);
    // Not loaded yet.
    if (item === undefined) return <tr key={index} aria-hidden style={{ height: rowHeight }} className="block" />;
    return (
      <TableRow
        key={`${item.level}:${item.key}`}
        {...look}
        activeId={index === row && !isShort ? activeId : undefined}
        placed={item}
        index={index}
        height={rowHeight}
        selected={item.key === selected}
        isMarked={marks.has(item.key)}
        active={index === row && !isShort ? column : undefined}
        state={stateOf?.(item.row)}
        data={dataOf?.(item.row)}
      />
    );
  });
  const heading = (
    <Heading
      {...look}
      minWidth={isShort ? undefined : fullWidth}
      id={id}
      onToggleAll={groups.length === 0 ? undefined : toggleAll}
      areAllOpen={areAllOpen}
      sort={sort}
      onSort={onSort}
      active={row < 0 && !isShort ? column : undefined}
    />
  );
  const totals = hasTotals && placed.length > 0 && (
    <Totals {...look} minWidth={isShort ? undefined : fullWidth} rowIndex={placed.length + 2} />
  );
  if (isShort) {
    return (
      <table
        role="table"
        aria-label={name}
        className="grid w-full"
        style={{ gridTemplateColumns: shortTracks(columns) }}
      >
        {heading}
        <tbody role="rowgroup" className="contents">
          {body}
        </tbody>
        {totals}
      </table>
    );
  }
  return (
    <div className="focus-area min-h-0 min-w-0 grow">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its role is that of a grid, which has the focus and the keys */}
      <table
        ref={scroller}
        role={childrenOf === undefined ? 'grid' : 'treegrid'}
        aria-label={name}
        aria-rowcount={placed.length + 1 + (hasTotals ? 1 : 0)}
        aria-colcount={columns.length}
        aria-activedescendant={isDrawn ? activeId : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onKeyDownCapture={touch}
        onPointerDown={touch}
        onWheel={touch}
        onFocus={followsRow ? () => setActive({ row, column }) : undefined}
        aria-multiselectable
        onClick={onClick}
        // With Shift, a press marks rows and selects no text.
        onMouseDown={(event) => {
          if (!event.shiftKey) return;
          event.preventDefault();
          event.currentTarget.focus();
        }}
        onCopy={(event) => marks.onCopy(event, { row, column })}
        data-arrows
        style={{ '--columns': tracks(columns, firstColumn, endColumn) }}
        // Nothing inside changes the layout outside; without containment, checking that is most of the work of a scroll. An
        // item of a flex box would still be laid out together with that box.
        className="group/table absolute inset-0 flex flex-col overflow-auto contain-strict"
      >
        {heading}
        {placed.length > 0 ? (
          <tbody
            role="rowgroup"
            className="box-border block shrink-0"
            style={{
              minWidth: fullWidth,
              height: isPrinting ? undefined : placed.length * rowHeight,
              paddingTop: firstRow * rowHeight,
            }}
          >
            {body}
            {isPrinting && placed.length > endRow && (
              <tr className="block p-1">
                <td>
                  Printed: the first {wholeText(endRow)} of {counted(placed.length, 'row')}. An export has all.
                </td>
              </tr>
            )}
          </tbody>
        ) : (
          // A grid may contain only rows. The content shown instead of rows may have buttons, so it is put into a cell.
          <tbody role="rowgroup" className="flex grow flex-col">
            <tr role="row" className="sticky left-0 flex grow">
              <td role="gridcell" className="flex min-w-0 grow">
                {empty}
              </td>
            </tr>
          </tbody>
        )}
        {totals}
      </table>
    </div>
  );
}
