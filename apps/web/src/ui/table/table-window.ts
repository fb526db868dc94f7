import { observeElementRect, type Rect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { PHONE, useMedia, usePrinting } from '../../hooks/use-media.ts';
import type { TableColumn } from './table-column.ts';
import { HEAD_HEIGHT } from './table-edges.tsx';
import { fittingColumns, leftEdges, shownColumns } from './table-layout.ts';

/** Rows rendered beyond each edge, so that quick scrolling shows no gap; columns likewise. */
const OVERSCAN_ROWS = 12;
const OVERSCAN_COLUMNS = 2;

/** The rows rendered before the table is laid out. */
const FIRST_ROWS = 20;

/** The most rows that are printed: more would block the page for seconds. An export has all of them. */
const PRINTED_ROWS_MAX = 2_000;

const rangeOf = (indexes: readonly number[]) => ({ first: indexes[0] ?? 0, end: (indexes.at(-1) ?? -1) + 1 });

interface TableWindowOf<Row> {
  /** With the widths of their longest texts. A stable list. */
  readonly columns: readonly TableColumn<Row>[];
  readonly rowCount: number;
  readonly rowHeight: number;
  /** All rows and columns are rendered, and nothing scrolls. */
  readonly isShort: boolean;
  readonly scroller: RefObject<HTMLTableElement | null>;
}

/** The columns that fit, and the rows and columns to render: those in view, or all that are printed. */
export function useTableWindow<Row>({ columns: wide, rowCount, rowHeight, isShort, scroller }: TableWindowOf<Row>) {
  const isPhone = useMedia(PHONE);
  const isPrinting = usePrinting();
  const [width, setWidth] = useState(0);
  const hasTotals = wide.some(({ total }) => total !== undefined);
  // oxlint-disable-next-line react/incompatible-library -- the compiler leaves this hook alone, and nothing here is memoized by hand
  const rowWindow = useVirtualizer({
    count: rowCount,
    enabled: !isShort,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // With another height, what it measured is no longer true.
    getItemKey: useCallback((index: number) => `${rowHeight} ${index}`, [rowHeight]),
    overscan: OVERSCAN_ROWS,
    observeElementRect: useCallback(
      (instance: Virtualizer<HTMLTableElement, Element>, onRect: (rect: Rect) => void) =>
        observeElementRect(instance, (rect) => {
          setWidth(rect.width);
          onRect(rect);
        }),
      [],
    ),
    scrollPaddingEnd: HEAD_HEIGHT + (hasTotals ? HEAD_HEIGHT : 0),
  });
  const columns = useMemo(() => fittingColumns(wide, width, isPhone), [wide, width, isPhone]);
  const lefts = useMemo(() => leftEdges(columns), [columns]);
  const columnWindow = useVirtualizer({
    horizontal: true,
    count: columns.length,
    enabled: !isShort,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => columns[index]?.width ?? 0,
    getItemKey: useCallback((index: number) => columns[index]?.id ?? index, [columns]),
    overscan: OVERSCAN_COLUMNS,
    scrollPaddingStart: lefts[1] ?? 0,
  });
  const scrolledTo = useRef<number | null>(null);
  useLayoutEffect(() => {
    // Fewer rows are printed than a long table scrolls over.
    if (isPrinting) scrolledTo.current = rowWindow.scrollOffset;
    else if (scrolledTo.current !== null) scroller.current?.scrollTo({ top: scrolledTo.current });
  }, [isPrinting, rowWindow, scroller]);

  const isLaidOut = !isShort && width > 0;
  const rowsInView = isPrinting
    ? { first: 0, end: PRINTED_ROWS_MAX }
    : isLaidOut
      ? rangeOf(rowWindow.getVirtualIndexes())
      : { first: 0, end: FIRST_ROWS };
  const columnsInView =
    isLaidOut && !isPrinting ? rangeOf(columnWindow.getVirtualIndexes()) : { first: 1, end: columns.length };
  const firstColumn = Math.max(1, columnsInView.first);
  const endColumn = columnsInView.end;
  const shown = useMemo(() => shownColumns(columns, firstColumn, endColumn), [columns, firstColumn, endColumn]);
  const fullWidth = lefts.at(-1) ?? 0;
  return {
    columns,
    /** The columns to render: the pinned first one, and `firstColumn … endColumn - 1`. */
    shown,
    firstColumn,
    endColumn,
    /** The rows to render: `firstRow … endRow - 1`. */
    firstRow: isShort ? 0 : rowsInView.first,
    endRow: isShort ? rowCount : Math.min(rowsInView.end, rowCount),
    /** Of all columns, px. */
    fullWidth,
    isPinned: isLaidOut && fullWidth > width,
    isLaidOut,
    isPrinting,
    hasTotals,
    rowWindow,
    columnWindow,
  };
}
