import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { ticker } from '../../state/ticker.ts';
import { LiveLine } from '../../ui/live-text/live-line.ts';

/** Classes of the box of a line: laid out by itself, with characters of one width in one line. */
export const LINE_BOX = 'num inline-block h-[1lh] align-top whitespace-pre contain-size contain-layout contain-style';

/** Lines that were opened: each takes another turn than the one before. */
let opened = 0;

/** The line in `box`, as long as the box is there. `onTick` is called with the page's clock, before the line's words follow. */
export function useLiveLine(
  box: RefObject<HTMLElement | null>,
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
    const own = new LiveLine(box.current, opened);
    opened += 1;
    line.current = own;
    return () => {
      line.current = null;
      own.close();
    };
  }, [box]);
  useLayoutEffect(() => ticker.subscribe(() => tick()), []);
  return line;
}
