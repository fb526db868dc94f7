import { z } from '@l4desk/protocol';
import { pageSearch, searchDay, searchFlag, searchList, searchText } from '../../state/page-search.ts';
import { searchWallets } from '../../wallets/wallet-choice.ts';

/** What the page shows: open orders, the history, or the rows of both calls. */
export const VIEWS = ['open', 'history', 'all'] as const;

/** Any word: the exchange may add statuses, types and times in force. */
const words = searchList(z.string());

const yesNo = searchList(z.enum(['yes', 'no', 'unreported']));

/** The query string of the orders page. */
export const ordersSearch = pageSearch({
  w: searchWallets,
  show: z.enum(VIEWS),
  /** Builder dexes whose open orders are loaded, in addition to the canonical one's. */
  dex: searchList(z.string().regex(/^[A-Za-z0-9_-]{1,32}$/)),
  coin: words,
  side: words,
  status: words,
  outcome: words,
  type: words,
  tif: words,
  ro: yesNo,
  trigger: yesNo,
  tpsl: yesNo,
  q: searchText,
  from: searchDay,
  to: searchDay,
  sort: z.string().regex(/^-?[A-Za-z]+$/),
  row: searchText,
  panel: z.enum(['statistics', 'coverage']),
  fills: searchFlag,
});

export type OrdersView = (typeof VIEWS)[number];
