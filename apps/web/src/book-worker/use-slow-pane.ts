import { replaceEqualDeep } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { PanesAsk, PanesFrame, SlowPaneName } from './panes.ts';
import { useLive } from './use-book.ts';

/** What a pane requests that is not in every frame: a stable object, undefined to request nothing. */
type SlowAsk<Name extends SlowPaneName> = Omit<NonNullable<PanesAsk[Name]>, 'serial'>;

/**
 * Requests a pane that is not in every frame, and returns the frame with its last response, which names its block; undefined until
 * there is one.
 */
export function useSlowPane<Name extends SlowPaneName>(
  name: Name,
  ask: SlowAsk<Name> | undefined,
): PanesFrame | undefined {
  return useRequested(name, ask);
}

/**
 * Requests the queues of the watched wallets and one chosen order. With another one it remains the same request, whose last
 * response stays until the next one arrives.
 */
export function useSlowQueues(
  ask: Omit<SlowAsk<'queues'>, 'chosen'> | undefined,
  chosen: number | null,
): PanesFrame | undefined {
  return useRequested('queues', ask, chosen);
}

/** `chosen` is the part of the request that may change without making it another one. */
function useRequested(name: SlowPaneName, ask: object | undefined, chosen?: number | null): PanesFrame | undefined {
  const live = useLive();
  const serial = useRef<number>(undefined);
  useEffect(() => {
    if (ask === undefined) return undefined;
    serial.current = live.nextSerial();
    return () => {
      serial.current = undefined;
      live.wantPane(name, undefined);
    };
  }, [live, name, ask]);
  // After the effect above, which gives another request its serial.
  useEffect(() => {
    if (ask === undefined) return;
    const more = chosen === undefined ? {} : { chosen };
    live.wantPane(name, { ...ask, ...more, serial: serial.current } as PanesAsk[typeof name]);
  }, [live, name, ask, chosen]);
  const last = useRef<PanesFrame>(undefined);
  return useSyncExternalStore(live.subscribe, () => {
    const frame = live.book().slow[name];
    const isResponse = frame?.[name]?.serial === serial.current;
    // Rows that did not change stay the same objects, so that they are not rendered again.
    last.current = isResponse ? replaceEqualDeep(last.current, frame) : undefined;
    return last.current;
  });
}
