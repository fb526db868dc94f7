import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { Live } from '../../book-worker/live.ts';
import { useLive } from '../../book-worker/live-context.tsx';
import type { LiveStatus } from '../../book-worker/messages.ts';
import type { PanesFrame } from '../../book-worker/panes.ts';
import { ticker } from '../../state/ticker.ts';
import { STEADY } from './steady-text.tsx';

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
  return <WrittenText subscribe={live.subscribe} text={text} ticks={ticks} />;
}

/** The same of a number that changes with every drawn frame. */
export function PaneText({ read }: { readonly read: (frame: PanesFrame) => string }) {
  const live = useLive();
  const text = () => {
    const frame = live.panes();
    return frame === undefined ? '' : read(frame);
  };
  return <WrittenText subscribe={live.subscribePanes} text={text} ticks={false} />;
}

interface WrittenTextProps {
  readonly subscribe: Live['subscribe'];
  readonly text: () => string;
  readonly ticks: boolean;
}

/**
 * A text that changes many times a second. It is written into the page beside React, into a box as wide as its
 * characters: neither is the tree around it drawn anew for it, nor is the page laid out.
 */
function WrittenText({ subscribe, text, ticks }: WrittenTextProps) {
  const box = useRef<HTMLSpanElement>(null);
  /** What was written last: to read that from the page would cost as much as to write it. */
  const written = useRef('');
  const write = useEffectEvent(() => {
    const element = box.current;
    const [before, now] = [written.current, text()];
    if (element === null || before === now) return;
    written.current = now;
    const node = element.firstChild ?? element.appendChild(document.createTextNode(''));
    if (before.length !== now.length) element.style.width = `${now.length}ch`;
    // The same node stays: a new one would cost its style, too.
    node.nodeValue = now;
  });
  useLayoutEffect(() => write());
  useLayoutEffect(() => subscribe(() => write()), [subscribe]);
  useLayoutEffect(() => (ticks ? ticker.subscribe(() => write()) : undefined), [ticks]);
  return <span ref={box} className={STEADY} />;
}

/** By name; undefined takes the attribute away. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

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
  const write = useEffectEvent(() => writeAll(element.current, read(), written.current));
  const writeCalm = useEffectEvent(() => writeAll(element.current, calm(), written.current));
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

/** What was written last, by name: to read that from the page would cost as much as to write it. */
type Written = Map<string, string | undefined>;

function writeAll(element: HTMLElement | null, attributes: Attributes, written: Written): void {
  if (element === null) return;
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === undefined ? undefined : String(value);
    if (written.has(name) && written.get(name) === text) continue;
    written.set(name, text);
    if (text === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}
