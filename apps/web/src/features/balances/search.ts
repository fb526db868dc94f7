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

type BalanceChoices = ReturnType<typeof balancesSearch.read>;

/** The columns each view can be sorted by: its fixed ones, and the pattern of those that depend on responses. */
const SORT_COLUMNS: Readonly<Record<View, { readonly own: readonly string[]; readonly brought?: RegExp }>> = {
  wallets: { own: ['wallet', 'group'], brought: /^t\d{0,9}(?::.{1,64})?$/ },
  tokens: { own: ['token', 'holders', ...FIELDS], brought: /^0x[0-9a-f]{40}$/ },
  list: { own: ['wallet', 'token', ...FIELDS, 'group'] },
  value: { own: ['wallet', 'total', 'spot', 'equity', 'pnl', 'margin', 'leverage', 'positions'] },
  positions: { own: ['wallet', 'coin', 'value', 'pnl', 'distance', 'margin'] },
};

/**
 * Parameters that pass the schema but not the view, as written: a sort by a column that the view does not have. `brought` holds
 * the tokens and wallets in the responses; undefined before the first responses.
 */
export function refusedChoices(
  { view = 'wallets', sort }: Pick<BalanceChoices, 'view' | 'sort'>,
  brought: ReadonlySet<string> | undefined,
): readonly string[] {
  if (sort === undefined) return [];
  const column = sort.replace(/^-/, '');
  const columns = SORT_COLUMNS[view];
  const isColumn =
    columns.own.includes(column) || (columns.brought?.test(column) === true && brought?.has(column) !== false);
  return isColumn ? [] : [`sort=${sort}`];
}
