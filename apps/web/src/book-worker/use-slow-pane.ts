import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { useLive } from './live-context.tsx';
import type { PanesAsk, PanesFrame, SlowPaneName } from './panes.ts';

/** What a slow pane is asked: a stable object, undefined while nothing is asked. */
export type SlowAsk<Name extends SlowPaneName> = Omit<NonNullable<PanesAsk[Name]>, 'serial'>;

/**
 * The frame with the last response of a slow pane to what it asks now: the response stands until the next one comes, and says
 * which block it is of. Undefined until there is one.
 */
export function useSlowPane<Name extends SlowPaneName>(
  name: Name,
  ask: SlowAsk<Name> | undefined,
): PanesFrame | undefined {
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
  const subscribe = useCallback((listener: () => void) => live.subscribeSlow(name, listener), [live, name]);
  return useSyncExternalStore(subscribe, () => {
    const frame = live.slowPanes()[name];
    return frame !== undefined && frame[name]?.serial === serial.current ? frame : undefined;
  });
}
