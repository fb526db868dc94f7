import { useSyncExternalStore } from 'react';
import { useLive } from './live-context.tsx';
import type { PanesFrame } from './panes.ts';

/**
 * A part of the frame that is drawn: a plain value, or an object of the frame that is the same as long as the frame is. The
 * component renders only when it changes. Undefined while there is no frame.
 */
export function usePanes<T>(select: (frame: PanesFrame) => T): T | undefined {
  const live = useLive();
  return useSyncExternalStore(live.subscribePanes, () => {
    const frame = live.panes();
    return frame && select(frame);
  });
}

/**
 * The exchange's clock now, by a frame: ages are counted by it. It stands while the shown book is not the live one, and
 * runs on between the blocks of one that is quiet. `now` in this machine's ms.
 */
export function clockOf({ clock, at, frozen }: PanesFrame, now: number): number {
  return frozen ? clock : clock + Math.max(0, now - at);
}
