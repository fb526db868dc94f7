import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useLive } from './live-context.tsx';
import type { PanesAsk, PanesFrame, SlowPaneName } from './panes.ts';

/** What a slow pane requests: a stable object, undefined to request nothing. */
type SlowAsk<Name extends SlowPaneName> = Omit<NonNullable<PanesAsk[Name]>, 'serial'>;

/** The panes with a list of which only some rows are requested (WEB-146). */
type ListPaneName = 'owners' | 'tape';

/** What a pane with such a list requests, apart from the number of rows: a stable object. */
export type ListAsk<Name extends ListPaneName> = Omit<SlowAsk<Name>, 'limit'>;

/** The frames with a slow pane's responses to one request, as a store: for what is drawn outside React. Stable while the request is. */
export interface SlowFrames {
  readonly subscribe: (listener: () => void) => () => void;
  /** The frame with the last response. It stays until the next one arrives, and names its block. Undefined until there is one. */
  readonly read: () => PanesFrame | undefined;
}

/**
 * Requests the first `limit` rows of a slow pane's list, and returns the responses as a store. With another limit it remains the
 * same request, whose last response stays until the next one arrives.
 */
export function useSlowList<Name extends ListPaneName>(name: Name, ask: ListAsk<Name>, limit: number): SlowFrames {
  return useSlowFrames(
    name,
    ask,
    useMemo(() => ({ limit }), [limit]),
  );
}

/**
 * Requests the queues of the watched wallets and one chosen order. With another one it remains the same request, whose last
 * response stays until the next one arrives.
 */
export function useSlowQueues(
  ask: Omit<SlowAsk<'queues'>, 'chosen'> | undefined,
  chosen: number | null,
): PanesFrame | undefined {
  return useSlowValue(
    useSlowFrames(
      'queues',
      ask,
      useMemo(() => ({ chosen }), [chosen]),
    ),
  );
}

/** `more` is the part of the request that may change without making it another one. */
function useSlowFrames(name: SlowPaneName, ask: object | undefined, more?: object): SlowFrames {
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
    live.wantPane(name, { ...ask, ...more, serial: serial.current } as PanesAsk[typeof name]);
  }, [live, name, ask, more]);
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

/** Reads each frame only once, for a `select` that takes long. */
export function onceAFrame<T>(read: (frame: PanesFrame) => T): (frame: PanesFrame) => T {
  let last: { readonly frame: PanesFrame; readonly value: T } | undefined;
  return (frame) => {
    if (last?.frame !== frame) last = { frame, value: read(frame) };
    return last.value;
  };
}
