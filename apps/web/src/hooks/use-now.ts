import { useSyncExternalStore } from 'react';
import { ticker } from '../state/ticker.ts';

/** Ms since the Unix epoch, twice a second. */
export function useNow(): number {
  return useSyncExternalStore(ticker.subscribe, ticker.get);
}
