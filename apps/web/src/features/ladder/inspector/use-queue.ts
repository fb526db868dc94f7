import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLive } from '../../../book-worker/live-context.tsx';
import type { LevelRef, QueueAnswer } from '../../../book-worker/messages.ts';
import { anchorsOf, windowAt } from './queue-scroll.ts';

/** Time between two questions: live, and calm enough to read. */
const ASK_MS = 250;

/** The most orders handed over to hold the view by. */
const ANCHORS = 8;

/** An order whose details are open, and the place it had last. */
export interface ChosenOrder {
  readonly oid: number;
  readonly place: number;
}

interface Queue {
  readonly answer: QueueAnswer | undefined;
  /** Asks at once: the view was scrolled. */
  readonly onScroll: () => void;
}

/**
 * The part of a level's queue that is in view, kept up to date. When orders ahead of the view leave, the view is
 * scrolled along, so that what is read stays where it is.
 *
 * Loop "queue": one question is under way at a time; the next is asked `ASK_MS` after the response, none while hidden.
 */
export function useQueue(
  level: LevelRef,
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  chosen: ChosenOrder | undefined,
): Queue {
  const live = useLive();
  const [answer, setAnswer] = useState<QueueAnswer>();
  const askNow = useRef(() => {});
  const onScroll = useCallback(() => askNow.current(), []);

  useEffect(() => {
    let serial = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last: QueueAnswer | undefined;
    const ask = () => {
      clearTimeout(timer);
      const element = scroller.current;
      if (element === null || document.hidden) return;
      const { scrollTop, clientHeight } = element;
      serial += 1;
      const anchors = anchorsOf(last?.orders ?? [], scrollTop, clientHeight, rowHeight).slice(0, ANCHORS);
      live.askQueue({
        serial,
        generation: live.generation,
        level,
        ...windowAt(scrollTop, clientHeight, rowHeight),
        anchors: anchors.map(({ oid, place }) => ({ oid, place })),
        chosen: chosen ?? null,
      });
      // A book that does not exist yet returns nothing: ask again.
      timer = setTimeout(ask, 4 * ASK_MS);
    };
    live.onQueue((next) => {
      if (next.serial !== serial || next.generation !== live.generation) return;
      last = next;
      // Rows and scroll position change together, or a frame would show one without the other.
      flushSync(() => setAnswer(next));
      const element = scroller.current;
      if (element !== null && next.shift !== 0) element.scrollTop += next.shift * rowHeight;
      clearTimeout(timer);
      timer = setTimeout(ask, ASK_MS);
    });
    askNow.current = ask;
    document.addEventListener('visibilitychange', ask);
    ask();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
      askNow.current = () => {};
      live.onQueue(() => {});
    };
  }, [live, level, scroller, rowHeight, chosen]);

  return { answer, onScroll };
}
