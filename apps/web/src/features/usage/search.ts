import { z } from '@l4desk/protocol';
import { pageSearch, searchDay } from '../../state/page-search.ts';

/** The query string of the usage page. */
export const usageSearch = pageSearch({
  /** Months back from today; the month so far if absent. */
  m: z.enum(['3', '6', '12']),
  /** An explicit window, both days included; takes precedence over `m`. */
  from: searchDay,
  to: searchDay,
  /** Shows the days as running totals of their months. */
  chart: z.literal('month'),
  as: z.literal('table'),
  /** The key whose kinds of use are shown, as the service abbreviates it; all keys if absent. */
  key: z.string(),
});
