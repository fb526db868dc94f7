import { useEffect, useRef, useState } from 'react';

/** How long what has come waits for the rest, in ms. */
const GATHER_MS = 4_000;

/** How long the rows stay the same while more comes, in ms. */
const GATHER_MAX_MS = 4 * GATHER_MS;

/**
 * The responses to show while others are on their way. Sorted rows do not jump with each response: the first ones are shown after
 * four seconds, later ones once none has come for as long or after sixteen seconds, and all of them with the last one. `of` is
 * what was requested; what has come for something else is shown at once.
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
    let seen: readonly T[] | undefined;
    let waited = 0;
    const timer = setInterval(() => {
      const responses = newest.current;
      waited += GATHER_MS;
      const isDue = responses === seen || waited % GATHER_MAX_MS === 0;
      seen = responses;
      setShown((now) => (isDue || now.responses.length === 0 ? { of, responses } : now));
    }, GATHER_MS);
    return () => clearInterval(timer);
  }, [isOnTheWay, of]);
  return isAtOnce ? latest : shown.responses;
}
