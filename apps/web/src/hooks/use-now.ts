import { useSyncExternalStore } from 'react';
import { ticker } from '../state/ticker.ts';

/** Ms since the Unix epoch, twice a second. */
export function useNow(): number {
  return useSyncExternalStore(ticker.subscribe, ticker.get);
}

/** The same, but only every so many ms: for what asks whether numbers have become stale. */
export function useNowEvery(ms: number): number {
  return useSyncExternalStore(ticker.subscribe, () => Math.floor(ticker.get() / ms) * ms);
}
