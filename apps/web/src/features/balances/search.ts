import { writtenAddress, z } from '@l4desk/protocol';
import { pageSearch, searchDecimal, searchFlag, searchList, searchText } from '../../state/page-search.ts';
import { FIELDS, type Field } from '../../wallets/balances/fields.ts';
import { searchWallets } from '../../wallets/wallet-choice.ts';

export const VIEWS = ['wallets', 'tokens', 'list', 'value', 'positions'] as const;

export type View = (typeof VIEWS)[number];

/** By group of the address book, or sub-accounts under their masters. */
const GROUPINGS = ['1', 'master'] as const;

export type Grouping = (typeof GROUPINGS)[number];

/** The query string of the balances page. */
export const balancesSearch = pageSearch({
  /** Wallets and groups; the whole address book if absent. */
  w: searchWallets,
  view: z.enum(VIEWS),
  field: z.enum(FIELDS),
  /** The builder dexes whose perps are in the value, besides the canonical one. */
  dex: searchList(z.string().regex(/^[a-z0-9]{1,16}$/i)),
  /** Label, address, group, tag or token. */
  q: searchText,
  group: z.enum(GROUPINGS),
  /** Balances up to this amount, in their own token, are dust. */
  dust: searchDecimal.refine((text) => !text.startsWith('-')),
  /** Shows only wallets whose last call failed; the sums still cover all wallets. */
  failed: searchFlag,
  sort: searchText,
  /** What the inspector shows: a wallet, the addends of a token by its id, or the changes. */
  open: z.union([writtenAddress, z.string().regex(/^(?:t\d{0,9}(?::.{1,64})?|changes)$/)]),
});

/** A field of the pivots for the address; undefined for the default one. */
export const fieldText = (field: Field) => (field === 'total' ? undefined : field);

const AMOUNTS = FIELDS.join('|');

/** The columns that each view can be sorted by; those of tokens and wallets depend on the responses. */
const SORT_COLUMNS: Readonly<Record<View, RegExp>> = {
  wallets: /^-?(?:wallet|group|t\d{0,9}(?::.{1,64})?)$/,
  tokens: new RegExp(`^-?(?:token|holders|${AMOUNTS}|0x[0-9a-f]{40})$`),
  list: new RegExp(`^-?(?:wallet|token|${AMOUNTS}|group)$`),
  value: /^-?(?:wallet|total|spot|equity|pnl|margin|leverage|positions)$/,
  positions: /^-?(?:wallet|coin|value|pnl|distance|margin|funding)$/,
};

/** A sort by a column that the view does not have, as written; `held` are the ids of the tokens, undefined until all are known. */
export function refusedSort(view: View, sort: string | undefined, held?: ReadonlySet<string>): readonly string[] {
  if (sort === undefined) return [];
  const column = sort.replace(/^-/, '');
  const isUnheld = view === 'wallets' && column.startsWith('t') && held?.has(column) === false;
  return SORT_COLUMNS[view].test(sort) && !isUnheld ? [] : [`sort=${sort}`];
}
