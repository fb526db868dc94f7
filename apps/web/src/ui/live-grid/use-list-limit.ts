import { useCallback, useState } from 'react';
import type { Sight } from './live-view.ts';

/** Rows beyond those in view, so that scrolling begins with rows; and by how many the number is rounded up. */
const MORE = 8;
const STEP = 16;

/**
 * How many rows of a live list to request: those in view and a few more, or `most` while somebody uses the list. Rows that nobody
 * sees would be sent, read and left to the garbage collector several times a second.
 */
export function useListLimit(most: number): {
  readonly limit: number;
  readonly onSight: (sight: Sight) => void;
} {
  const [limit, setLimit] = useState(Math.min(most, STEP));
  const onSight = useCallback(
    ({ rows, isUsed }: Sight) => setLimit(isUsed ? most : Math.min(most, Math.ceil((rows + MORE) / STEP) * STEP)),
    [most],
  );
  return { limit, onSight };
}
