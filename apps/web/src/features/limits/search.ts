import { pageSearch, searchDecimal, searchWhole } from '../../state/page-search.ts';

/** The query string of the limits page. */
export const limitsSearch = pageSearch({
  /** The leverage asked about. */
  n: searchWhole(1, 1_000),
  /** Notional of an order to compare with the limits, in USD. */
  ntl: searchDecimal.refine((text) => !text.startsWith('-')),
});
