import { useSyncExternalStore } from 'react';
import { useLive } from './live-context.tsx';
import type { PanesFrame } from './panes.ts';

/**
 * Returns a part of the drawn frame: a primitive value, or an object of the frame that stays the same as long as the frame does.
 * The component renders only when it changes. Undefined while there is no frame.
 */
export function usePanes<T>(select: (frame: PanesFrame) => T): T | undefined {
  const live = useLive();
  return useSyncExternalStore(live.subscribePanes, () => {
    const frame = live.panes();
    return frame && select(frame);
  });
}

/**
 * The exchange's clock now, computed from a frame: ages are counted by it. It stops while the shown book is not the live one, and
 * keeps running between the blocks of a quiet coin. `now` is in this machine's ms.
 */
export function clockOf({ clock, at, frozen }: PanesFrame, now: number): number {
  return frozen ? clock : clock + Math.max(0, now - at);
}
