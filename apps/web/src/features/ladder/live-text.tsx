import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useLive } from '../../book-worker/live-context.tsx';
import type { LiveStatus } from '../../book-worker/messages.ts';
import { ticker } from '../../state/ticker.ts';

interface LiveTextProps {
  /** A text of characters of one width; empty while there is nothing to say. */
  readonly read: (status: LiveStatus) => string;
  /** It changes with the page's clock too. */
  readonly ticks?: boolean;
}

/**
 * A number that changes with every status. It is written into the page beside React, into a box as wide as its
 * characters: neither is the tree around it drawn anew for it, nor is the page laid out.
 */
export function LiveText({ read, ticks = false }: LiveTextProps) {
  const live = useLive();
  const box = useRef<HTMLSpanElement>(null);
  const write = useEffectEvent(() => {
    const status = live.status();
    const text = status === undefined ? '' : read(status);
    const element = box.current;
    if (element === null) return;
    const node = element.firstChild ?? element.appendChild(document.createTextNode(''));
    const before = node.nodeValue ?? '';
    if (before === text) return;
    if (before.length !== text.length) element.style.width = `${text.length}ch`;
    // The same node stays: a new one would cost its style, too.
    node.nodeValue = text;
  });
  useLayoutEffect(() => write());
  useLayoutEffect(() => live.subscribe(() => write()), [live]);
  useLayoutEffect(() => (ticks ? ticker.subscribe(() => write()) : undefined), [ticks]);
  return <span ref={box} className="num inline-block h-4 align-top whitespace-pre contain-strict" />;
}

/**
 * Attributes that change with every status, written beside React as well. Those in `calm` wait for the page's clock: a
 * change of a title costs a new computation of style, and nobody reads one that fast.
 */
export function useLiveAttributes(
  element: RefObject<HTMLElement | null>,
  read: () => Readonly<Record<string, string | number | undefined>>,
  calm: () => Readonly<Record<string, string | undefined>>,
): void {
  const live = useLive();
  const write = useEffectEvent(() => writeAll(element.current, read()));
  const writeCalm = useEffectEvent(() => writeAll(element.current, calm()));
  useLayoutEffect(() => {
    write();
    writeCalm();
  });
  useLayoutEffect(() => {
    const ending = [live.subscribe(() => write()), ticker.subscribe(() => writeCalm())];
    return () => {
      for (const end of ending) end();
    };
  }, [live]);
}

/** Undefined takes the attribute away. */
function writeAll(
  element: HTMLElement | null,
  attributes: Readonly<Record<string, string | number | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element?.removeAttribute(name);
    else if (element?.getAttribute(name) !== String(value)) element?.setAttribute(name, String(value));
  }
}
