import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { useLive } from './live-context.tsx';
import type { PanesAsk, PanesFrame, SlowPaneName } from './panes.ts';

/** What a slow pane requests: a stable object, undefined to request nothing. */
export type SlowAsk<Name extends SlowPaneName> = Omit<NonNullable<PanesAsk[Name]>, 'serial'>;

/**
 * Returns the frame with the last response of a slow pane to its current request, or what `select` reads from it: a primitive
 * value, or an object that stays the same as long as the frame does. The response stays until the next one arrives, and names its
 * block. Undefined until there is one.
 */
export function useSlowPane<Name extends SlowPaneName>(
  name: Name,
  ask: SlowAsk<Name> | undefined,
): PanesFrame | undefined;
export function useSlowPane<Name extends SlowPaneName, T>(
  name: Name,
  ask: SlowAsk<Name> | undefined,
  select: (frame: PanesFrame) => T,
): T | undefined;
export function useSlowPane<Name extends SlowPaneName>(
  name: Name,
  ask: SlowAsk<Name> | undefined,
  select: (frame: PanesFrame) => unknown = whole,
): unknown {
  const live = useLive();
  const serial = useRef<number>(undefined);
  useEffect(() => {
    if (ask === undefined) return undefined;
    serial.current = live.nextSerial();
    live.wantPane(name, { ...ask, serial: serial.current } as PanesAsk[Name]);
    return () => {
      serial.current = undefined;
      live.wantPane(name, undefined);
    };
  }, [live, name, ask]);
  return useSlowResponse(name, (frame) => (frame[name]?.serial === serial.current ? select(frame) : undefined));
}

/** What `select` reads from the last response of a slow pane that another component requests; undefined until there is one. */
export function useSlowResponse<T>(name: SlowPaneName, select: (frame: PanesFrame) => T): T | undefined {
  const live = useLive();
  return useSyncExternalStore(useSlowSubscription(name), () => {
    const frame = live.slowPanes()[name];
    return frame && select(frame);
  });
}

/** The subscribe function for the responses of a slow pane, stable as an external store requires. */
export function useSlowSubscription(name: SlowPaneName): (listener: () => void) => () => void {
  const live = useLive();
  return useCallback((listener) => live.subscribeSlow(name, listener), [live, name]);
}

const whole = (frame: PanesFrame) => frame;
