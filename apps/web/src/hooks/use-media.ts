import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/**
 * So narrow that grids keep the columns that say they stay; `max-sm:` in class names. What is below a width is what is not
 * from it on: enlarged pages have widths between two whole pixels.
 */
export const PHONE = 'not all and (min-width: 640px)';

/** Too narrow for two panes side by side; `max-pair:` in class names. */
export const NARROW = 'not all and (min-width: 860px)';

/** Room for several panes beside what they are about. */
export const WIDE = '(min-width: 1920px)';

/** Room for the radar at the edge as well. */
export const WIDEST = '(min-width: 2300px)';

/** A finger, which needs higher rows than a mouse. */
export const COARSE_POINTER = '(pointer: coarse)';

/** Whether the user prefers reduced motion. */
export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';
