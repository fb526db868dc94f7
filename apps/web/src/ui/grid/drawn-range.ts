import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

/**
 * The rendered part of a grid: rows `firstRow … endRow - 1` and columns `firstColumn … endColumn - 1`, plus the pinned column.
 */
export interface DrawnRange {
  readonly firstRow: number;
  readonly endRow: number;
  readonly firstColumn: number;
  readonly endColumn: number;
  /**
   * Whether the grid scrolls sideways, so that the first column is pinned. Otherwise a pinned cell per row would add layers for
   * nothing.
   */
  readonly isPinned: boolean;
}

/** Rows and px rendered beyond the visible edge, so that quick scrolling shows no gap; most of them in the scroll direction. */
const OVERSCAN_ROWS = { ahead: 20, behind: 4 } as const;
const OVERSCAN_PX = 200;

interface Scrolled {
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly width: number;
  /** Whether the last scroll was downward. */
  readonly down: boolean;
}

/** The range visible at a scroll position. `lefts` holds the left edge of each column and the right edge of the last one. */
function rangeOf(scrolled: Scrolled, rowHeight: number, rowCount: number, lefts: readonly number[]): DrawnRange {
  const columns = Math.max(0, lefts.length - 1);
  const pinned = lefts[1] ?? 0;
  const leftEdge = scrolled.left + pinned - OVERSCAN_PX;
  const rightEdge = scrolled.left + scrolled.width + OVERSCAN_PX;
  let firstColumn = Math.min(1, columns);
  while (firstColumn < columns - 1 && (lefts[firstColumn + 1] ?? 0) <= leftEdge) firstColumn++;
  let endColumn = firstColumn;
  while (endColumn < columns && (lefts[endColumn] ?? 0) < rightEdge) endColumn++;
  const last = Math.max(0, rowCount - 1);
  const { ahead, behind } = OVERSCAN_ROWS;
  const [above, below] = scrolled.down ? [behind, ahead] : [ahead, behind];
  return {
    firstRow: Math.max(0, Math.min(last, Math.floor(scrolled.top / rowHeight) - above)),
    endRow: Math.min(rowCount, Math.ceil((scrolled.top + scrolled.height) / rowHeight) + below),
    firstColumn,
    endColumn,
    isPinned: (lefts.at(-1) ?? 0) > scrolled.width,
  };
}

/** Tracks the scroll position of an element; rerenders only when another row or column comes into view. */
export function useDrawnRange(
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  rowCount: number,
  lefts: readonly number[],
): { readonly drawn: DrawnRange; readonly onScroll: () => void } {
  const [scrolled, setScrolled] = useState<Scrolled>({ top: 0, left: 0, height: 0, width: 0, down: true });
  const read = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    // Rounded down: less than a row's height or 100 px of scrolling cannot change what is rendered.
    const next: Omit<Scrolled, 'down'> = {
      top: Math.floor(element.scrollTop / rowHeight) * rowHeight,
      left: Math.floor(element.scrollLeft / (OVERSCAN_PX / 2)) * (OVERSCAN_PX / 2),
      height: element.clientHeight,
      width: element.clientWidth,
    };
    setScrolled((now) =>
      now.top === next.top && now.left === next.left && now.height === next.height && now.width === next.width
        ? now
        : { ...next, down: next.top === now.top ? now.down : next.top > now.top },
    );
  }, [scroller, rowHeight]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // oxlint-disable-next-line react/set-state-in-effect -- how high the element is, only the element knows
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, read]);
  return {
    drawn: rangeOf(scrolled, rowHeight, rowCount, lefts),
    onScroll: read,
  };
}
