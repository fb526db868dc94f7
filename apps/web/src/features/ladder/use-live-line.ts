import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { ticker } from '../../state/ticker.ts';
import { LiveLine } from '../../ui/live-text/live-line.ts';

/** Classes of a line's box: laid out by itself, in monospaced characters on one line. */
export const LINE_BOX = 'num inline-block h-[1lh] align-top whitespace-pre contain-size contain-layout contain-style';

/**
 * The line in `box`, as long as the box is mounted, with room for at least `room` characters. `onTick` is called with the page's
 * clock, before the line's words are updated.
 */
export function useLiveLine(
  box: RefObject<HTMLElement | null>,
  room: number,
  onTick?: (line: LiveLine) => void,
): RefObject<LiveLine | null> {
  const line = useRef<LiveLine>(null);
  const tick = useEffectEvent(() => {
    if (line.current === null) return;
    onTick?.(line.current);
    line.current.tick();
  });
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const own = new LiveLine(box.current, room);
    line.current = own;
    return () => {
      line.current = null;
      own.close();
    };
  }, [box, room]);
  useLayoutEffect(() => ticker.subscribe(() => tick()), []);
  return line;
}
