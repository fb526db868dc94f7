import { type PointerEvent, type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { Live } from '../../book-worker/live.ts';
import { useLive } from '../../book-worker/live-context.tsx';
import type { LiveStatus } from '../../book-worker/messages.ts';
import type { PanesFrame, SlowPaneName } from '../../book-worker/panes.ts';
import { useSlowSubscription } from '../../book-worker/use-slow-pane.ts';
import { ticker } from '../../state/ticker.ts';
import { type Attributes, type Written, writeAttributes } from '../../ui/write-attributes.ts';
import { LINE_BOX, useLiveLine } from './use-live-line.ts';

interface LiveTextProps {
  /** Returns a text of monospaced characters; empty if there is none. */
  readonly read: (status: LiveStatus) => string;
  /** It also changes with the page's clock. */
  readonly ticks?: boolean;
  /** It belongs to the shown book: once that is held, its DOM text is updated at once. */
  readonly isOfBook?: boolean;
}

/** A number that changes with every status; written outside React. */
export function LiveText({ read, ticks = false, isOfBook = false }: LiveTextProps) {
  const live = useLive();
  const text = () => {
    const status = live.status();
    return status === undefined ? '' : read(status);
  };
  return <WrittenText subscribe={live.subscribe} text={text} ticks={ticks} isOfBook={isOfBook} />;
}

interface PaneTextProps {
  /** Characters that the box always has room for, if the text's length changes often. */
  readonly room?: number;
  readonly read: (frame: PanesFrame) => string;
}

/** A number that changes with every drawn frame; written outside React. */
export function PaneText({ room, read }: PaneTextProps) {
  const live = useLive();
  const text = () => {
    const frame = live.panes();
    return frame === undefined ? '' : read(frame);
  };
  return <WrittenText subscribe={live.subscribePanes} text={text} room={room} isOfBook />;
}

interface SlowTextProps {
  readonly pane: SlowPaneName;
  /** Characters that the box always has room for, if the text's length changes often: another width lays out the whole pane. */
  readonly room?: number | undefined;
  /** Reads the frame with the pane's last response. */
  readonly read: (frame: PanesFrame) => string;
}

/** A number that changes with every response of a slow pane; written outside React. */
export function SlowText({ pane, room, read }: SlowTextProps) {
  const live = useLive();
  const subscribe = useSlowSubscription(pane);
  const text = () => {
    const frame = live.slowPanes()[pane];
    return frame === undefined ? '' : read(frame);
  };
  return <WrittenText subscribe={subscribe} text={text} room={room} isOfBook />;
}

interface SteadyTextProps {
  /** Characters that the box always has room for. */
  readonly room?: number;
  readonly children: string;
}

/** A number rendered by React, in its own box: a change to as many characters or fewer causes no layout around it. */
export function SteadyText({ room, children }: SteadyTextProps) {
  return <WrittenText text={() => children} room={room} isOfBook />;
}

interface WrittenTextProps {
  /** Subscribes to changes of the text, if React does not render them. */
  readonly subscribe?: Live['subscribe'];
  readonly text: () => string;
  /** Characters that the box always has room for. */
  readonly room?: number | undefined;
  /** It also changes with the page's clock. */
  readonly ticks?: boolean;
  /** It belongs to the shown book: once that is held, its DOM text is updated at once. */
  readonly isOfBook: boolean;
}

/** A text that changes many times a second; written outside React, so that the tree around it is not rendered again. */
function WrittenText({ subscribe, text, room = 0, ticks = false, isOfBook }: WrittenTextProps) {
  const live = useLive();
  const box = useRef<HTMLSpanElement>(null);
  const line = useLiveLine(box, room, (opened) => ticks && opened.write(text()));
  const settle = useEffectEvent(() => {
    if (isOfBook && live.panes()?.frozen === true) line.current?.settle();
  });
  const write = useEffectEvent(() => {
    line.current?.write(text());
    settle();
  });
  useLayoutEffect(() => write());
  useLayoutEffect(() => subscribe?.(() => write()), [subscribe]);
  // The book may be held after its last text arrived. A text written with every frame is updated with that frame.
  const hearsOfHold = isOfBook && subscribe !== live.subscribePanes;
  useLayoutEffect(() => (hearsOfHold ? live.subscribePanes(() => settle()) : undefined), [live, hearsOfHold]);
  return <span ref={box} className={LINE_BOX} />;
}

/**
 * Attributes that change with every status, written outside React as well. Those in `calm` wait for the page's clock: a change of
 * a title makes the browser recompute styles, and nobody reads one that fast.
 */
export function useLiveAttributes(
  element: RefObject<HTMLElement | null>,
  read: () => Attributes,
  calm?: () => Attributes,
): void {
  useWrittenAttributes(useLive().subscribe, element, read, calm);
}

/** Attributes that change with every drawn frame; all of them are absent until there is one. */
export function usePaneAttributes(
  element: RefObject<HTMLElement | null>,
  read: (frame: PanesFrame) => Attributes,
): void {
  const live = useLive();
  const attributes = () => {
    const frame = live.panes();
    return frame === undefined ? {} : read(frame);
  };
  useWrittenAttributes(live.subscribePanes, element, attributes);
}

/** Attributes that change with every response of a slow pane. */
export function useSlowAttributes(
  pane: SlowPaneName,
  element: RefObject<HTMLElement | null>,
  read: (frame: PanesFrame) => Attributes,
): void {
  const live = useLive();
  const subscribe = useSlowSubscription(pane);
  const attributes = () => {
    const frame = live.slowPanes()[pane];
    return frame === undefined ? {} : read(frame);
  };
  useWrittenAttributes(subscribe, element, attributes);
}

function useWrittenAttributes(
  subscribe: Live['subscribe'],
  element: RefObject<HTMLElement | null>,
  read: () => Attributes,
  calm: () => Attributes = () => ({}),
): void {
  const written = useRef<Written>(new Map());
  const writeAll = (attributes: Attributes) => {
    if (element.current !== null) writeAttributes(element.current, attributes, written.current);
  };
  const write = useEffectEvent(() => writeAll(read()));
  const writeCalm = useEffectEvent(() => writeAll(calm()));
  useLayoutEffect(() => {
    // React may have written other values.
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

/** Event listeners for the element with such a title. */
interface PointedTitle {
  readonly onPointerEnter: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave: (event: PointerEvent<HTMLElement>) => void;
}

/**
 * A title for values that change all the time. It is written while somebody points at the element, and updated with the page's
 * clock, because a change of a title makes the browser recompute styles.
 */
export function usePointedTitle(read: () => string | undefined): PointedTitle {
  const pointed = useRef<HTMLElement>(null);
  const write = useEffectEvent(() => {
    if (pointed.current !== null) pointed.current.title = read() ?? '';
  });
  useLayoutEffect(() => ticker.subscribe(() => write()), []);
  return {
    onPointerEnter: ({ currentTarget }) => {
      pointed.current = currentTarget;
      currentTarget.title = read() ?? '';
    },
    onPointerLeave: ({ currentTarget }) => {
      pointed.current = null;
      currentTarget.removeAttribute('title');
    },
  };
}
