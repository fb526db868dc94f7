import { useLayoutEffect, useState } from 'react';
import type { OrderTable, OrderView } from './order-table.ts';
import { type OutcomeStatistics, statisticsSteps } from './statistics.ts';

/** Counting goes on for so long, then the page has its turn. */
const SLICE_MS = 12;

export type Counting =
  | {
      readonly kind: 'counting';
      /** Of the rows, those behind it. */
      readonly share: number;
      /** What was counted last, of other orders or of older answers. */
      readonly before: OutcomeStatistics | undefined;
    }
  | { readonly kind: 'counted'; readonly found: OutcomeStatistics };

/**
 * The statistics of the orders in sight, counted in slices; what takes one slice is there with the next paint. A count
 * whose orders are no longer in sight is given up.
 */
export function useStatistics(table: OrderTable, view: OrderView): Counting {
  const [state, setState] = useState<Counting>({ kind: 'counting', share: 0, before: undefined });
  useLayoutEffect(() => {
    const steps = statisticsSteps(table, view);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      const end = performance.now() + SLICE_MS;
      let step = steps.next();
      while (step.done !== true && performance.now() < end) step = steps.next();
      if (step.done === true) {
        setState({ kind: 'counted', found: step.value });
        return;
      }
      const share = step.value;
      setState((last) => ({ kind: 'counting', share, before: last.kind === 'counted' ? last.found : last.before }));
      timer = setTimeout(count);
    };
    count();
    return () => clearTimeout(timer);
  }, [table, view]);
  return state;
}
