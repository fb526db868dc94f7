import { useState, useSyncExternalStore } from 'react';
import { ticker } from '../state/ticker.ts';

/** The current time in ms since the Unix epoch, updated twice a second. */
export function useNow(): number {
  return useSyncExternalStore(ticker.subscribe, ticker.get);
}

/** The same, rounded down to a multiple of `ms`: for checks whether numbers have become stale. */
export function useNowEvery(ms: number): number {
  return useSyncExternalStore(ticker.subscribe, () => Math.floor(ticker.get() / ms) * ms);
}

/** When the page was opened, in ms: what failed or got old before is requested again, within the price rule. */
export function useOpenedAt(): number {
  const [openedAt] = useState(() => Date.now());
  return openedAt;
}
