import type { DecimalString } from '@l4desk/protocol';
import { groupBy } from '../../ui/group-by.ts';
import { sortedBy, unitsOf, WORDS } from '../../ui/table/sorted-rows.ts';
import type { TokenAmounts } from '../../wallets/balances/balance-store.ts';
import type { Field } from '../../wallets/balances/fields.ts';
import { amountOf, isCounted, type Token, type WalletEntry } from '../../wallets/balances/sums.ts';
import { masterOf, type RoleFacts } from '../../wallets/roles.ts';
import { isFound, plainWallet, type Wallet } from '../../wallets/wallet.ts';

export function addendsOf(entries: readonly WalletEntry[], token: Token, field: Field) {
  const counted = entries.filter(isCounted);
  const parts = counted.flatMap((entry) => {
    const value = amountOf(entry, token)?.[field];
    return value === undefined ? [] : [{ entry, value }];
  });
  return {
    parts: sortedBy(parts, ({ value }) => unitsOf(value), true),
    silent: counted.filter((entry) => {
      const amounts = amountOf(entry, token);
      return amounts !== undefined && amounts[field] === undefined;
    }),
    missing: entries
      .filter((entry) => !isCounted(entry))
      .map((entry) => ({ entry, value: amountOf(entry, token)?.[field] })),
  };
}

/** The wallets and tokens that a view shows. */
export interface InSight {
  readonly entries: readonly WalletEntry[];
  readonly tokens: readonly Token[];
}

/** The result of a search: the wallets and tokens whose names match. If only tokens match, the wallets are their holders. */
export function searched(entries: readonly WalletEntry[], tokens: readonly Token[], query: string): InSight {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return { entries, tokens };
  const foundTokens = tokens.filter(({ name }) => name.toLowerCase().includes(wanted));
  const foundEntries = entries.filter(({ wallet }) => isFound(wallet, wanted));
  if (foundEntries.length > 0) return { entries: foundEntries, tokens: foundTokens.length > 0 ? foundTokens : tokens };
  return {
    entries: entries.filter((entry) => foundTokens.some((token) => amountOf(entry, token) !== undefined)),
    tokens: foundTokens,
  };
}

/** Whether a balance is more than dust: one of its amounts is above the limit or below zero. */
export function exceedsDust(amounts: TokenAmounts, limit: bigint): boolean {
  return [amounts.total, amounts.hold, amounts.available].some((value) => {
    const units = unitsOf(value);
    return units !== undefined && (units > limit || units < 0n);
  });
}

/**
 * Leaves out wallets and tokens that have nothing but dust. Wallets without a response stay, because their balances are
 * unknown. Sums are computed before this, so they include what is hidden.
 */
export function withoutDust(
  entries: readonly WalletEntry[],
  tokens: readonly Token[],
  dust: DecimalString | undefined,
): InSight {
  const limit = unitsOf(dust);
  if (limit === undefined) return { entries, tokens };
  const exceeds = (entry: WalletEntry, token: Token) => {
    const amounts = amountOf(entry, token);
    return amounts !== undefined && exceedsDust(amounts, limit);
  };
  return {
    entries: entries.filter((entry) => !isCounted(entry) || tokens.some((token) => exceeds(entry, token))),
    tokens: tokens.filter((token) => entries.some((entry) => exceeds(entry, token))),
  };
}

/** Wallets of one group of the address book, or the accounts of one master. */
export interface EntryGroup {
  readonly key: string;
  readonly name: string;
  /** The master. */
  readonly wallet?: Wallet;
  readonly members: readonly WalletEntry[];
}

/** Wallets by group: groups in order of name, wallets without a group last. */
export function groupsOfEntries(entries: readonly WalletEntry[]): readonly EntryGroup[] {
  return [...groupBy(entries, ({ wallet }) => wallet.group)]
    .map(([name, members]) => ({ key: `g:${name}`, name, members }))
    .sort((a, b) => Number(a.name === '') - Number(b.name === '') || WORDS.compare(a.name, b.name));
}

/** Accounts by master, masters in the order of the wallets. */
export function mastersOfEntries(entries: readonly WalletEntry[], roles: RoleFacts): readonly EntryGroup[] {
  return [...groupBy(entries, ({ wallet }) => masterOf(roles, wallet.address))].map(([master, members]) => {
    const own = members.find(({ wallet }) => wallet.address === master)?.wallet ?? plainWallet(master);
    return { key: `m:${master}`, name: own.label || master, wallet: own, members };
  });
}
