import { pageSearch } from '../../state/page-search.ts';
import { searchWallets } from '../../wallets/wallet-choice.ts';

/** The query string of the overview. */
export const overviewSearch = pageSearch({
  /** Wallets and groups; the whole address book if absent. */
  w: searchWallets,
});
