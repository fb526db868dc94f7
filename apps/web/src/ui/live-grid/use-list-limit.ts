import { useCallback, useRef, useState } from 'react';
import type { Sight } from './live-view.ts';

/** Rows requested beyond those in view: a scroll begins with rows. */
const MORE = 8;

/** The number of rows is rounded up to a multiple of this, so that a row more or less is not another request. */
const STEP = 16;

/**
 * How many rows of a live list to request: those in view and a few more, or `most` while somebody uses the list. Rows that nobody
 * sees would be sent, read and left to the garbage collector several times a second. The numbers beside the list may change its
 * height again and again, so a list that becomes lower keeps its limit until it is closed.
 */
export function useListLimit(most: number): {
  readonly limit: number;
  readonly onSight: (sight: Sight) => void;
} {
  const [limit, setLimit] = useState(Math.min(most, STEP));
  const inView = useRef(0);
  const onSight = useCallback(
    ({ rows, isUsed }: Sight) => {
      inView.current = rows === 0 ? 0 : Math.max(inView.current, rows);
      setLimit(isUsed ? most : Math.min(most, Math.ceil((inView.current + MORE) / STEP) * STEP));
    },
    [most],
  );
  return { limit, onSight };
}
