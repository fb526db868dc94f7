import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => matchMedia(query), [query]);
  const subscribe = useCallback(
    (changed: () => void) => {
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}

/**
 * Narrow enough that grids show only the columns marked as narrow; `max-sm:` in class names. "Below a width" is written as `not
 * (min-width)`, because zoomed pages have fractional widths.
 */
export const PHONE = 'not all and (min-width: 640px)';

/** Too narrow for two panes side by side; `max-pair:` in class names. */
export const NARROW = 'not all and (min-width: 860px)';

/** Wide enough for several panes beside the ladder. */
export const WIDE = '(min-width: 1920px)';

/** Wide enough for the radar at the edge as well. */
export const WIDEST = '(min-width: 2300px)';

/** Tall enough for two panes above each other. */
export const TALL = '(min-height: 800px)';

/** Touch input, which needs taller rows than a mouse. */
export const COARSE_POINTER = '(pointer: coarse)';

/** Whether the user prefers reduced motion. */
export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

/** The system replaces the colours of the page by its own few. */
export const FORCED_COLOURS = '(forced-colors: active)';

function subscribe(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

/** Whether the page is visible. Repeating work pauses while it is not. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden);
}

/** Whether the page is being printed whole: one with a canvas is printed as it is on the screen, see `@media print`. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    // The browser lays the page out right after the event.
    window.addEventListener(
      'beforeprint',
      () => flushSync(() => setPrinting(document.querySelector('canvas') === null)),
      { signal },
    );
    window.addEventListener('afterprint', () => setPrinting(false), { signal });
    return () => abort.abort();
  }, []);
  return isPrinting;
}
