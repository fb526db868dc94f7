import { useLayoutEffect, useRef } from 'react';
import { useLive } from '../../book-worker/live-context.tsx';
import { LINE_BOX, useLiveLine } from './use-live-line.ts';

/**
 * A text of characters of one width in a box of its own, as wide as they are: while it has as many, another text lays
 * nothing out around it.
 */
export function SteadyText({ children }: { readonly children: string }) {
  const live = useLive();
  const box = useRef<HTMLSpanElement>(null);
  const line = useLiveLine(box);
  useLayoutEffect(() => {
    line.current?.write(children);
    if (live.panes()?.frozen === true) line.current?.settle();
  }, [line, live, children]);
  // Once the book is held no other text comes.
  useLayoutEffect(
    () =>
      live.subscribePanes(() => {
        if (live.panes()?.frozen === true) line.current?.settle();
      }),
    [line, live],
  );
  return <span ref={box} className={LINE_BOX} />;
}
