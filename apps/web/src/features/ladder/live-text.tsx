import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { Live } from '../../book-worker/live.ts';
import { useLive } from '../../book-worker/live-context.tsx';
import type { LiveStatus } from '../../book-worker/messages.ts';
import type { PanesFrame } from '../../book-worker/panes.ts';
import { ticker } from '../../state/ticker.ts';
import { type Attributes, type Written, writeAttributes } from '../../ui/write-attributes.ts';
import { LINE_BOX, useLiveLine } from './use-live-line.ts';

interface LiveTextProps {
  /** A text of characters of one width; empty while there is nothing to say. */
  readonly read: (status: LiveStatus) => string;
  /** It changes with the page's clock too. */
  readonly ticks?: boolean;
}

/** A number that changes with every status, written beside React. */
export function LiveText({ read, ticks = false }: LiveTextProps) {
  const live = useLive();
  const text = () => {
    const status = live.status();
    return status === undefined ? '' : read(status);
  };
  return <WrittenText subscribe={live.subscribe} text={text} ticks={ticks} isHeld={never} />;
}

/** The same of a number that changes with every drawn frame. */
export function PaneText({ read }: { readonly read: (frame: PanesFrame) => string }) {
  const live = useLive();
  const text = () => {
    const frame = live.panes();
    return frame === undefined ? '' : read(frame);
  };
  const isHeld = () => live.panes()?.frozen === true;
  return <WrittenText subscribe={live.subscribePanes} text={text} ticks={false} isHeld={isHeld} />;
}

const never = () => false;

interface WrittenTextProps {
  readonly subscribe: Live['subscribe'];
  readonly text: () => string;
  readonly ticks: boolean;
  /** It is of a book that is held: a text that comes then stays. */
  readonly isHeld: () => boolean;
}

/** A text that changes many times a second, written beside React: the tree around it is not drawn anew for it. */
function WrittenText({ subscribe, text, ticks, isHeld }: WrittenTextProps) {
  const box = useRef<HTMLSpanElement>(null);
  const line = useLiveLine(box, (opened) => ticks && opened.write(text()));
  const write = useEffectEvent(() => {
    line.current?.write(text());
    if (isHeld()) line.current?.settle();
  });
  useLayoutEffect(() => write());
  useLayoutEffect(() => subscribe(() => write()), [subscribe]);
  return <span ref={box} className={LINE_BOX} />;
}

/**
 * Attributes that change with every status, written beside React as well. Those in `calm` wait for the page's clock: a
 * change of a title costs a new computation of style, and nobody reads one that fast.
 */
export function useLiveAttributes(
  element: RefObject<HTMLElement | null>,
  read: () => Attributes,
  calm: () => Attributes,
): void {
  useWrittenAttributes(useLive().subscribe, element, read, calm);
}

/** The same of attributes that change with every drawn frame; all of them are absent until there is one. */
export function usePaneAttributes(
  element: RefObject<HTMLElement | null>,
  read: (frame: PanesFrame) => Attributes,
  calm: (frame: PanesFrame) => Attributes = () => ({}),
): void {
  const live = useLive();
  const of = (attributes: (frame: PanesFrame) => Attributes) => () => {
    const frame = live.panes();
    return frame === undefined ? {} : attributes(frame);
  };
  useWrittenAttributes(live.subscribePanes, element, of(read), of(calm));
}

function useWrittenAttributes(
  subscribe: Live['subscribe'],
  element: RefObject<HTMLElement | null>,
  read: () => Attributes,
  calm: () => Attributes,
): void {
  const written = useRef<Written>(new Map());
  const writeAll = (attributes: Attributes) => {
    if (element.current !== null) writeAttributes(element.current, attributes, written.current);
  };
  const write = useEffectEvent(() => writeAll(read()));
  const writeCalm = useEffectEvent(() => writeAll(calm()));
  useLayoutEffect(() => {
    // React may have written others.
    written.current.clear();
    write();
    writeCalm();
  });
  useLayoutEffect(() => {
    const ending = [subscribe(() => write()), ticker.subscribe(() => writeCalm())];
    return () => {
      for (const end of ending) end();
    };
  }, [subscribe]);
}
