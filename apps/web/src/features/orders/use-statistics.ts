import { useLayoutEffect, useState } from 'react';
import type { OrderRow } from './order-chunk.ts';
import { type OutcomeStatistics, statisticsSteps } from './statistics.ts';

/** Length of a counting slice in ms; then the page gets a turn. */
const SLICE_MS = 12;

/** The first slice is shorter: it shares its task with drawing the panel and narrowing the grid. */
const FIRST_SLICE_MS = 4;

export type Counting =
  | {
      readonly kind: 'counting';
      /** The share of rows counted so far. */
      readonly share: number;
      /** The last complete statistics, for other orders or older responses. */
      readonly before: OutcomeStatistics | undefined;
    }
  | { readonly kind: 'counted'; readonly found: OutcomeStatistics };

/**
 * The statistics of the orders in view, counted in slices. What fits the first slice is shown with the next paint. A count for
 * orders that are no longer in view is cancelled.
 */
export function useStatistics(rows: readonly OrderRow[]): Counting {
  const [state, setState] = useState<Counting>({ kind: 'counting', share: 0, before: undefined });
  useLayoutEffect(() => {
    const steps = statisticsSteps(rows);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = (sliceMs: number) => {
      const end = performance.now() + sliceMs;
      let step = steps.next();
      while (step.done !== true && performance.now() < end) step = steps.next();
      if (step.done === true) {
        setState({ kind: 'counted', found: step.value });
        return;
      }
      const share = step.value;
      setState((last) => ({ kind: 'counting', share, before: last.kind === 'counted' ? last.found : last.before }));
      timer = setTimeout(count, 0, SLICE_MS);
    };
    count(FIRST_SLICE_MS);
    return () => clearTimeout(timer);
  }, [rows]);
  return state;
}
