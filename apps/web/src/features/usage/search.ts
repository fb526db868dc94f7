import { z } from '@l4desk/protocol';
import { pageSearch, searchDay } from '../../state/page-search.ts';

/** The query string of the usage page. */
export const usageSearch = pageSearch({
  /** Months back from today; the month so far when absent. */
  m: z.enum(['3', '6', '12']),
  /** An explicit window, both days included; it comes before `m`. */
  from: searchDay,
  to: searchDay,
  /** The days as a running total of their month. */
  chart: z.literal('month'),
  /** The days as a table. */
  as: z.literal('table'),
});
