import { useLayoutEffect, useState } from 'react';
import type { OrderTable, OrderView } from './order-table.ts';
import { type OutcomeStatistics, statisticsSteps } from './statistics.ts';

/** Counting goes on for so long, then the page has its turn. */
const SLICE_MS = 12;

/** The first slice, which has a part of the task that draws the panel and makes the grid narrower. */
const FIRST_SLICE_MS = 4;

export type Counting =
  | {
      readonly kind: 'counting';
      /** Of the rows, those behind it. */
      readonly share: number;
      /** What was counted last, of other orders or of older responses. */
      readonly before: OutcomeStatistics | undefined;
    }
  | { readonly kind: 'counted'; readonly found: OutcomeStatistics };

/**
 * The statistics of the orders in view, counted in slices; what takes the first slice is there with the next paint. A count
 * whose orders are no longer in view is given up.
 */
export function useStatistics(table: OrderTable, view: OrderView): Counting {
  const [state, setState] = useState<Counting>({ kind: 'counting', share: 0, before: undefined });
  useLayoutEffect(() => {
    const steps = statisticsSteps(table, view);
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
  }, [table, view]);
  return state;
}
