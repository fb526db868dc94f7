/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-static-element-interactions -- a grid of drawn parts only: a table has all its
   rows, and its cells scroll apart from its heading; the grid itself has the focus and the keys, as the pattern says */
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classNames } from '../class-names.ts';
import { useDrawnRange } from './drawn-range.ts';
import { cellAfter, pageOf, revealCell } from './grid-cell.ts';
import { eachRow, type GridColumn, type GridSort, nextSort, type RowSource, type RowState } from './grid-column.ts';
import { Heading, Totals } from './grid-edges.tsx';
import { GridRow } from './grid-row.tsx';
import { type PlacedRow, placeRows } from './grid-rows.ts';
import { leftEdges, range, shownColumns, template } from './grid-tracks.ts';
import { useActiveCell } from './use-active-cell.ts';
import { useRowHeight } from './use-row-height.ts';

declare module 'react' {
  interface CSSProperties {
    /** The tracks of every row of a grid. */
    '--columns'?: string;
    /** Line height of a cell with only text. */
    '--line'?: string;
  }
}

interface GridProps<Row> {
  /** Its accessible name. */
  readonly name: string;
  /** The visible columns in order, the first one pinned; from `useGridColumns`. Pass a stable list. */
  readonly columns: readonly GridColumn<Row>[];
  /** Rows filtered and sorted by the page. */
  readonly rows: RowSource<Row>;
  readonly keyOf: (row: Row) => string;
  readonly stateOf?: (row: Row) => RowState;
  readonly sort?: GridSort | undefined;
  readonly onSort?: (sort: GridSort | undefined) => void;
  /** Key of the row shown in the inspector. */
  readonly selected?: string | undefined;
  /** Called on Enter or a click on a row. */
  readonly onOpen?: (row: Row) => void;
  /** Whether the active cell stays on its row, by key, when the rows are listed in another order: for rows that move by themselves. */
  readonly followsRow?: boolean;
  /** The children of a row, shown below it when it is open. */
  readonly childrenOf?: (row: Row) => readonly Row[];
  /**
   * Whether a row is only the heading of its children: Enter or a click opens and closes it, `*` all of them. Pass a stable
   * function.
   */
  readonly isGroup?: (row: Row) => boolean;
  /** The text of the totals row in the first column. */
  readonly totalTitle?: string;
  /** Shown if there are no rows: `<Empty>`. */
  readonly empty?: ReactNode;
}

/** The cell under the pointer: the row's index and the column's id. */
interface Pointed {
  readonly row: number;
  readonly column: string | undefined;
}

/** A grid with virtual rows and columns, a sticky heading and sticky totals, and keyboard navigation. */
export function Grid<Row>(props: GridProps<Row>) {
  const {
    name,
    columns,
    rows,
    keyOf,
    stateOf,
    sort,
    onSort,
    selected,
    onOpen,
    followsRow = false,
    childrenOf,
    isGroup,
    totalTitle,
    empty,
  } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [pointed, setPointed] = useState<Pointed>();
  const hasHints = columns.some(({ hintOf }) => hintOf !== undefined);
  const placed = useMemo(() => placeRows({ rows, keyOf, childrenOf, expanded }), [rows, keyOf, childrenOf, expanded]);
  const lefts = useMemo(() => leftEdges(columns), [columns]);
  const { drawn, onScroll } = useDrawnRange(scroller, rowHeight, placed.length, lefts);
  const { firstColumn, endColumn } = drawn;
  const shown = useMemo(() => shownColumns(columns, firstColumn, endColumn), [columns, firstColumn, endColumn]);
  const width = lefts.at(-1) ?? 0;
  const hasTotals = columns.some(({ total }) => total !== undefined);
  const isTree = childrenOf !== undefined;
  const [{ row, column }, setActive] = useActiveCell(placed, columns.length, followsRow);

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
    if (isGroup?.(target.row) === true) toggle(target);
    else onOpen?.(target.row);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || (event.target !== scroller.current && event.key === 'Enter')) return;
    const current = placed.at(row);
    const to = cellAfter(
      event,
      { row, column },
      {
        rowCount: placed.length,
        columnCount: columns.length,
        firstRow: onSort === undefined ? 0 : -1,
        page: pageOf(scroller.current, rowHeight),
      },
    );
    const toggled = { ArrowRight: false, ArrowLeft: true }[event.key];
    const heading = columns[column];
    if (column === 0 && toggled !== undefined && current?.open === toggled) toggle(current);
    else if (to !== undefined) {
      setActive(to);
      revealCell(scroller.current, to, { rowHeight, lefts, hasTotals });
    } else if (event.key === '*' && groups.length > 0) toggleAll();
    else if (event.key !== 'Enter') return;
    else if (row < 0 && heading?.sortable) onSort?.(nextSort(sort, heading));
    else if (row >= 0 && current !== undefined) openRow(current);
    event.preventDefault();
    event.stopPropagation();
  };

  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const pressed = event.target.closest<HTMLElement>('[data-row]');
    const index = Number(pressed?.dataset.row ?? -1);
    const found = index < 0 ? undefined : placed.at(index);
    if (found === undefined) return;
    const cell = event.target.closest<HTMLElement>('[data-column]')?.dataset.column;
    setActive({
      row: index,
      column: Math.max(
        0,
        columns.findIndex((item) => item.id === cell),
      ),
    });
    if (event.target.closest('[data-toggle]') !== null) toggle(found);
    // A click on a control inside a cell, or one that selects text, is not a click on the row.
    else if (event.target.closest('button, a, input') === null && !document.getSelection()?.toString()) {
      openRow(found);
    }
  };

  const onPointerOver = ({ target }: PointerEvent) => {
    const on = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
    const at = on?.closest<HTMLElement>('[data-row]')?.dataset.row;
    setPointed(at === undefined ? undefined : { row: Number(at), column: on?.dataset.column });
  };

  const isDrawn = row < 0 || (row >= drawn.firstRow && row < drawn.endRow);
  const activeId = row < 0 ? `${id}-head-${column}` : `${id}-${row}-${column}`;
  return (
    <div className="focus-area min-h-0 min-w-0 grow">
      <div
        ref={scroller}
        role={isTree ? 'treegrid' : 'grid'}
        aria-label={name}
        aria-rowcount={placed.length + 1 + (hasTotals ? 1 : 0)}
        aria-colcount={columns.length}
        aria-activedescendant={isDrawn ? activeId : undefined}
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onFocus={followsRow ? () => setActive({ row, column }) : undefined}
        onClick={onClick}
        onPointerOver={hasHints ? onPointerOver : undefined}
        onPointerLeave={hasHints ? () => setPointed(undefined) : undefined}
        data-arrows
        // Nothing inside changes the layout outside; without containment, checking that is most of the work of a scroll. An
        // item of a flex box would still be laid out together with that box.
        className="group/grid absolute inset-0 flex flex-col overflow-auto contain-strict"
      >
        <div
          style={{ minWidth: width, '--columns': template(columns, drawn) }}
          className={classNames('flex flex-col', placed.length > 0 && 'min-h-full')}
        >
          <Heading
            id={id}
            columns={shown}
            drawn={drawn}
            isTree={isTree}
            onToggleAll={groups.length === 0 ? undefined : toggleAll}
            areAllOpen={areAllOpen}
            sort={sort}
            onSort={onSort}
            active={row < 0 ? column : undefined}
          />
          {placed.length > 0 && (
            <div
              role="rowgroup"
              className="box-border shrink-0"
              style={{ height: placed.length * rowHeight, paddingTop: drawn.firstRow * rowHeight }}
            >
              {range(drawn.firstRow, drawn.endRow).map((index) => {
                const item = placed.at(index);
                if (item === undefined) return null;
                return (
                  <GridRow
                    key={`${item.level}:${item.key}`}
                    activeId={index === row ? activeId : undefined}
                    placed={item}
                    index={index}
                    columns={shown}
                    firstColumn={firstColumn}
                    isPinned={drawn.isPinned}
                    height={rowHeight}
                    selected={item.key === selected}
                    active={index === row ? column : undefined}
                    pointed={index === pointed?.row ? pointed.column : undefined}
                    state={stateOf?.(item.row)}
                    isTree={isTree}
                  />
                );
              })}
            </div>
          )}
          {hasTotals && placed.length > 0 && (
            <Totals
              columns={shown}
              drawn={drawn}
              isTree={isTree}
              title={totalTitle ?? 'Total'}
              rowIndex={placed.length + 2}
            />
          )}
        </div>
        {placed.length === 0 && (
          // A grid may contain only rows. The content shown instead of rows may have buttons, so it is put into a cell.
          <div role="row" className="sticky left-0 flex grow">
            <div role="gridcell" className="flex min-w-0 grow">
              {empty}
            </div>
          </div>
        )}
      </div>
    </div>
  );
}
