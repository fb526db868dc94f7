import { z } from '@l4desk/protocol';
import { pageSearch, searchDecimal, searchText, searchWhole } from '../../state/page-search.ts';

/** The query string of the limits page. */
export const limitsSearch = pageSearch({
  n: searchWhole(1, 1_000),
  ntl: searchDecimal.refine((text) => !text.startsWith('-')),
  coin: searchText,
  side: z.enum(['buy', 'sell']),
});
