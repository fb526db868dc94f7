import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { LevelLine, LevelParams, LevelView, OrderPlace } from '../../../book-worker/panes/level.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { useLive, usePane } from '../../../book-worker/use-book.ts';
import { isOrder } from './level-columns.tsx';

const OVERSCAN = 30;

/** Lines requested before the list is laid out. */
const FIRST_LINES = 60;

interface LevelWindowOptions {
  readonly level: LevelRef;
  /** The best price of its side is listed instead. */
  readonly isBest: boolean;
  /** Stable objects: another one is another request. */
  readonly view: LevelView | null;
  readonly chosen: OrderPlace | undefined;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
}

interface ShownWindow {
  readonly params: LevelParams;
  readonly result: PaneResult<'level'>;
}

/**
 * The visible part of a level's list. When orders ahead of it leave, the view is scrolled by as much, so that what is being read
 * stays in place, as long as one of its orders is still among the requested lines. A view at the front or at the end stays there.
 * Another level is shown once its orders are there, but nothing of another book.
 */
export function useLevelWindow(options: LevelWindowOptions): ShownWindow | undefined {
  const { level, isBest, view, scroller, rowHeight } = options;
  const live = useLive();
  const chosen = options.chosen ?? null;
  const [params, setParams] = useState<LevelParams>({ level, isBest, view, from: 0, length: FIRST_LINES, chosen });
  const result = usePane('level', params);
  const [shown, setShown] = useState<ShownWindow>();
  if (result !== undefined && result !== shown?.result) setShown({ params, result });
  const isAsked =
    level === params.level && isBest === params.isBest && view === params.view && chosen === params.chosen;
  // The lines stay, because the place of the scrolled list does.
  if (!isAsked) setParams({ ...params, level, isBest, view, chosen });

  /** As of the last scroll or layout: reading it from the element would lay out the page with every result. */
  const viewport = useRef({ scrollTop: 0, clientHeight: 0 });
  /** The lines in view that keep their position; none at the front or at the end, and none of another order or filter. */
  const anchors = useRef<{ readonly of: unknown; readonly lines: readonly LevelLine[] }>(undefined);
  const isAtEnd = useRef(false);
  const anchor = useEffectEvent(() => {
    const lines = isAtEnd.current ? [] : inView(shown?.result.lines ?? [], viewport.current, rowHeight);
    anchors.current = { of: shown?.params.view, lines };
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || shown === undefined) return;
    const before = anchors.current?.of === shown.params.view ? anchors.current.lines : [];
    const moved = movedBy(before, shown.result.lines);
    if (moved !== 0) {
      element.scrollBy(0, moved * rowHeight);
      viewport.current.scrollTop = element.scrollTop;
    }
    anchor();
  }, [shown, scroller, rowHeight]);

  const request = useEffectEvent(({ scrollTop, clientHeight }: HTMLElement) => {
    viewport.current = { scrollTop, clientHeight };
    const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
    const from = Math.max(0, first - OVERSCAN);
    const length = first - from + Math.ceil(clientHeight / rowHeight) + 1 + OVERSCAN;
    const missing = Math.max(params.from - from, from + length - params.from - params.length);
    if (missing > OVERSCAN / 2) setParams({ ...params, from, length });
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const onScroll = () => {
      const { scrollTop, clientHeight, scrollHeight } = element;
      isAtEnd.current = scrollTop > 0 && scrollTop + clientHeight > scrollHeight - rowHeight;
      request(element);
      anchor();
    };
    const sizes = new ResizeObserver(() => {
      // Lines that appear above the list, and appended orders, push its last row out of view.
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
      request(element);
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    sizes.observe(element);
    for (const part of element.children) sizes.observe(part);
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, rowHeight]);
  return shown?.result.generation === live.generation ? shown : undefined;
}

/** The lines that are whole in view; none at the front of the list, which stays in view. */
function inView(
  lines: readonly LevelLine[],
  { scrollTop, clientHeight }: Pick<HTMLElement, 'scrollTop' | 'clientHeight'>,
  rowHeight: number,
): readonly LevelLine[] {
  if (scrollTop < rowHeight) return [];
  const last = (scrollTop + clientHeight) / rowHeight - 1;
  return lines.filter(({ index }) => index >= scrollTop / rowHeight && index <= last);
}

/** By how many lines the first order that is kept has moved. An owner's line is not followed: it jumps when its size is another. */
export function movedBy(before: readonly LevelLine[], now: readonly LevelLine[]): number {
  const indexOf = new Map(now.filter(isOrder).map(({ oid, index }) => [oid, index]));
  const kept = before.filter(isOrder).find(({ oid }) => indexOf.has(oid));
  return kept === undefined ? 0 : (indexOf.get(kept.oid) ?? 0) - kept.index;
}
