import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { LevelAsk, LevelResponse, LevelView, OrderPlace } from '../../../book-worker/panes/level.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { useLive } from '../../../book-worker/use-book.ts';
import { anchorsOf, isCovered, windowAt } from './queue-scroll.ts';

/** The most orders sent as anchors of the view. */
const ANCHORS = 8;

/** A queue in one frame. */
interface ShownLevel {
  readonly response: LevelResponse;
  readonly frame: PanesFrame;
}

interface Queue {
  /** A new object only when the content changed; for blocks without a change only `data-height` and `data-seq` are written. */
  readonly shown: ShownLevel | undefined;
  /** Requests the rows that became visible. */
  readonly onScroll: () => void;
}

/**
 * The visible part of a level's queue, from the drawn frame. When orders ahead of the view leave, the view is scrolled by as
 * much, so that what is being read stays in place. A view at the front or at the end stays there.
 */
export function useLevelPane(
  level: LevelRef,
  section: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  chosen: OrderPlace | undefined,
  /** A stable object. */
  view: LevelView | null,
): Queue {
  const live = useLive();
  const [shown, setShown] = useState<ShownLevel>();
  const askAgain = useRef(() => {});
  const onScroll = useCallback(() => askAgain.current(), []);

  useEffect(() => {
    let asked: LevelAsk | undefined;
    let last: LevelResponse | undefined;
    let isLive = false;
    /** How far the view has been scrolled along since the request. */
    let followed = 0;
    /** The scroll position of the end when the list was last laid out. */
    let end = 0;
    const isAtEnd = (scrollTop: number) => scrollTop > 0 && scrollTop >= end - 1;
    const ask = () => {
      const element = scroller.current;
      if (element === null) return;
      const { scrollTop, clientHeight } = element;
      const anchors = anchorsOf(last?.orders ?? [], scrollTop, clientHeight, rowHeight).slice(0, ANCHORS);
      followed = 0;
      asked = {
        serial: live.nextSerial(),
        level,
        view,
        ...windowAt(scrollTop, clientHeight, rowHeight),
        anchors: anchors.map(({ oid, index }) => ({ oid, place: index })),
        chosen: chosen ?? null,
      };
      live.wantPane('level', asked);
    };
    const show = () => {
      const frame = live.book().panes;
      const response = frame?.level;
      if (frame === undefined || response === undefined || response === last || response.serial !== asked?.serial)
        return;
      // After a block that left the row unchanged, only the block attributes are updated.
      const isSame = last?.serial === response.serial && last.revision === response.revision;
      section.current?.setAttribute('data-height', String(frame.height));
      section.current?.setAttribute('data-seq', String(frame.seq));
      if (isSame && isLive && !frame.frozen) return;
      const drawn = isSame && last !== undefined ? last : response;
      last = drawn;
      isLive = !frame.frozen;
      const element = scroller.current;
      const moved = response.shift - followed;
      followed = response.shift;
      // Read before the rows change, because a list that becomes shorter moves the view too.
      const top = element !== null && moved !== 0 ? element.scrollTop : 0;
      // Rows and scroll position have to change in the same frame.
      flushSync(() => setShown({ response: drawn, frame }));
      if (element === null || moved === 0) return;
      element.scrollTop = isAtEnd(top) ? element.scrollHeight : top + moved * rowHeight;
    };
    askAgain.current = () => {
      const element = scroller.current;
      if (element === null || asked === undefined) return;
      if (!isCovered(asked, followed, element.scrollTop, element.clientHeight, rowHeight)) ask();
    };
    const unsubscribe = live.subscribe(show);
    ask();
    const sizes = new ResizeObserver(() => {
      const element = scroller.current;
      if (element === null) return;
      // Lines that appear above the list, and appended orders, push its last row out of view.
      if (isAtEnd(element.scrollTop)) element.scrollTop = element.scrollHeight;
      end = element.scrollHeight - element.clientHeight;
      askAgain.current();
    });
    if (scroller.current !== null) sizes.observe(scroller.current);
    if (scroller.current?.firstElementChild) sizes.observe(scroller.current.firstElementChild);
    return () => {
      sizes.disconnect();
      unsubscribe();
      askAgain.current = () => {};
      live.wantPane('level', undefined);
    };
  }, [live, level, section, scroller, rowHeight, chosen, view]);

  return { shown, onScroll };
}
