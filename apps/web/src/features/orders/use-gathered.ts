import { useEffect, useRef, useState } from 'react';

/** How often what has come is shown while more is on its way, in ms. */
const GATHER_MS = 2_000;

/**
 * The responses to show while others are on their way: those that have come are added every two seconds, and the last ones at once,
 * so that sorted rows do not jump with each response. `of` is what was asked for; what has come for something else is shown at once.
 */
export function useGathered<T>(latest: readonly T[], isOnTheWay: boolean, of: unknown): readonly T[] {
  const [shown, setShown] = useState({ of, responses: latest });
  const newest = useRef(latest);
  useEffect(() => {
    newest.current = latest;
  });
  const isAtOnce = !isOnTheWay || shown.of !== of;
  if (isAtOnce && (shown.of !== of || shown.responses !== latest)) setShown({ of, responses: latest });
  useEffect(() => {
    if (!isOnTheWay) return undefined;
    const timer = setInterval(() => setShown({ of, responses: newest.current }), GATHER_MS);
    return () => clearInterval(timer);
  }, [isOnTheWay, of]);
  return isAtOnce ? latest : shown.responses;
}
