import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useLive } from './live-context.tsx';
import type { PanesAsk, PanesFrame, SlowPaneName } from './panes.ts';

/** What a slow pane requests: a stable object, undefined to request nothing. */
export type SlowAsk<Name extends SlowPaneName> = Omit<NonNullable<PanesAsk[Name]>, 'serial'>;

/** The frames with a slow pane's responses to one request, as a store: for what is drawn outside React. Stable while the request is. */
export interface SlowFrames {
  readonly subscribe: (listener: () => void) => () => void;
  /** The frame with the last response. It stays until the next one arrives, and names its block. Undefined until there is one. */
  readonly read: () => PanesFrame | undefined;
}

/**
 * Requests a slow pane, and returns its responses as a store. `limit`, if given, takes the place of the request's: with another
 * one it remains the same request, whose last response stays until the next one arrives.
 */
export function useSlowFrames<Name extends SlowPaneName>(
  name: Name,
  ask: SlowAsk<Name> | undefined,
  limit?: number,
): SlowFrames {
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
    const limited = limit === undefined ? ask : { ...ask, limit };
    live.wantPane(name, { ...limited, serial: serial.current } as PanesAsk[Name]);
  }, [live, name, ask, limit]);
  return useMemo(
    () => ({
      subscribe: (listener) => live.subscribeSlow(name, listener),
      read: () => {
        const frame = live.slowPanes()[name];
        return frame?.[name]?.serial === serial.current ? frame : undefined;
      },
    }),
    [live, name],
  );
}

/**
 * The last frame of a slow pane, or what `select` reads from it: a primitive value, or an object that stays the same as long as the
 * frame does. Undefined until there is a frame.
 */
export function useSlowValue(frames: SlowFrames): PanesFrame | undefined;
export function useSlowValue<T>(frames: SlowFrames, select: (frame: PanesFrame) => T): T | undefined;
export function useSlowValue(frames: SlowFrames, select: (frame: PanesFrame) => unknown = whole): unknown {
  return useSyncExternalStore(frames.subscribe, () => {
    const frame = frames.read();
    return frame && select(frame);
  });
}

/** Requests a slow pane, and returns its last frame, or what `select` reads from it (`useSlowValue`). */
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
  return useSlowValue(useSlowFrames(name, ask), select);
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
