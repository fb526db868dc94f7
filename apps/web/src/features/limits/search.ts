import { z } from '@l4desk/protocol';
import { pageSearch, searchDecimal, searchText, searchWhole } from '../../state/page-search.ts';

/** The query string of the limits page. */
export const limitsSearch = pageSearch({
  /** The leverage asked about. */
  n: searchWhole(1, 1_000),
  /** Notional of an order to compare with the limits, in USD. */
  ntl: searchDecimal.refine((text) => !text.startsWith('-')),
  /** The coin to send, and how. */
  coin: searchText,
  side: z.enum(['buy', 'sell']),
});
