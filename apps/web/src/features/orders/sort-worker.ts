import { type SortKeys, sortedIndexes } from './sorted-indexes.ts';

/** Sorts once: whoever started it ends it. */
addEventListener(
  'message',
  ({ data }: MessageEvent<{ readonly length: number; readonly keys: readonly SortKeys[] }>) => {
    postMessage(sortedIndexes(data.length, data.keys));
  },
);
