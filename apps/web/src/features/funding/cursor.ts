import type { Entry, History } from './entries.ts';
import { HOUR_MS } from './interval.ts';

/** The entry that applies at a moment: the first one at or after it, if the moment is within its interval. */
export function entryAt({ entries }: History, moment: number): Entry | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.time ?? 0) < moment) low = middle + 1;
    else high = middle;
  }
  const found = entries[low];
  const reach = (found?.interval ?? HOUR_MS) * 1.1;
  return found !== undefined && found.time - moment <= reach ? found : undefined;
}
