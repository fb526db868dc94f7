import { z } from '@l4desk/protocol';
import { pageSearch, searchDecimal, searchFlag, searchText } from '../../hooks/page-search.ts';
import { searchWallets } from '../../wallets/wallet-choice.ts';

/** What is shown of a balance. */
export const FIELDS = ['total', 'hold', 'available', 'entryNtl'] as const;

export type Field = (typeof FIELDS)[number];

export const VIEWS = ['wallets', 'tokens', 'list'] as const;

export type View = (typeof VIEWS)[number];

/** The query string of the balances page. */
export const balancesSearch = pageSearch({
  /** Wallets and groups; the whole address book when absent. */
  w: searchWallets,
  view: z.enum(VIEWS),
  field: z.enum(FIELDS),
  /** Label, address, group, tag or token. */
  q: searchText,
  group: searchFlag,
  /** Balances up to this amount, in their own token, are dust. */
  dust: searchDecimal.refine((text) => !text.startsWith('-')),
  sort: searchText,
  /** What the inspector shows: a wallet, the addends of a token by its index, or what changed. */
  open: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.string().regex(/^(?:0x[0-9a-f]{40}|t\d{1,9}|changes)$/)),
});
