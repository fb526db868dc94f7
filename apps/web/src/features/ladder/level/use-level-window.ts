import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { LevelParams, LevelView, OrderPlace } from '../../../book-worker/panes/level.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { usePane } from '../../../book-worker/use-book.ts';
import { anchorsOf, isCovered, windowAt } from './queue-scroll.ts';

/** The most orders sent as anchors of the view. */
const ANCHORS = 8;

/** Lines requested before the list is laid out. */
const FIRST_LINES = 60;

interface LevelWindowOptions {
  readonly level: LevelRef;
  /** The best price of its side is listed instead. */
  readonly isBest: boolean;
  /** A stable object. */
  readonly view: LevelView | null;
  /** A stable object. */
  readonly chosen: OrderPlace | undefined;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
}

/** A result, and what it was requested with. */
interface ShownWindow {
  readonly params: LevelParams;
  readonly result: PaneResult<'level'>;
}

/**
 * The visible part of a level's list. When orders ahead of it leave, the view is scrolled by as much, so that what is being read
 * stays in place. A view at the front or at the end stays there. Another level is shown once its orders are there.
 */
export function useLevelWindow(options: LevelWindowOptions): ShownWindow | undefined {
  const { level, isBest, view, chosen, scroller, rowHeight } = options;
  const [params, setParams] = useState<LevelParams>(() => ({
    level,
    isBest,
    view,
    from: 0,
    length: FIRST_LINES,
    anchors: [],
    chosen: chosen ?? null,
  }));
  const result = usePane('level', params);
  const [shown, setShown] = useState<ShownWindow>();
  if (result !== undefined && result !== shown?.result) setShown({ params, result });
  // Lines of another list have other places.
  if (level !== params.level || isBest !== params.isBest) setParams({ ...params, level, isBest, from: 0, anchors: [] });
  else if (view !== params.view) setParams({ ...params, view, anchors: [] });
  else if ((chosen ?? null) !== params.chosen) setParams({ ...moved(params, shown), chosen: chosen ?? null });

  const followed = useRef<{ readonly params: LevelParams; readonly shift: number }>(undefined);
  const isAtEnd = useRef(false);
  useLayoutEffect(() => {
    if (shown === undefined) return;
    const before = followed.current?.params === shown.params ? followed.current.shift : 0;
    const { shift } = shown.result;
    followed.current = { params: shown.params, shift };
    if (shift !== before && !isAtEnd.current) scroller.current?.scrollBy(0, (shift - before) * rowHeight);
  }, [shown, scroller, rowHeight]);

  const request = useRef(() => {});
  useEffect(() => {
    request.current = () => {
      if (scroller.current === null) return;
      const { scrollTop, clientHeight } = scroller.current;
      const shift = shown?.params === params ? shown.result.shift : 0;
      if (isCovered(params, shift, scrollTop, clientHeight, rowHeight)) return;
      const orders = shown?.params.view === view ? shown.result.orders : [];
      const anchors = anchorsOf(orders, scrollTop, clientHeight, rowHeight).slice(0, ANCHORS);
      setParams({
        ...params,
        ...windowAt(scrollTop, clientHeight, rowHeight),
        anchors: anchors.map(({ oid, index }) => ({ oid, place: index })),
      });
    };
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const onScroll = () => {
      const { scrollTop, clientHeight, scrollHeight } = element;
      isAtEnd.current = scrollTop > 0 && scrollTop + clientHeight > scrollHeight - rowHeight;
      request.current();
    };
    const sizes = new ResizeObserver(() => {
      // Lines that appear above the list, and appended orders, push its last row out of view.
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
      request.current();
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    sizes.observe(element);
    for (const part of element.children) sizes.observe(part);
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, rowHeight]);
  return shown;
}

/** The same request for where the view is by now. */
function moved(params: LevelParams, shown: ShownWindow | undefined): LevelParams {
  if (shown?.params !== params) return params;
  const { orders, shift } = shown.result;
  const anchors = orders.filter(({ oid }) => params.anchors.some((anchor) => anchor.oid === oid));
  return {
    ...params,
    from: Math.max(0, params.from + shift),
    anchors: anchors.map(({ oid, index }) => ({ oid, place: index })),
  };
}
