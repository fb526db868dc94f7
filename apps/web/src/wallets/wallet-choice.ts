import { type Address, isAddress, writtenAddress, z } from '@l4desk/protocol';
import { useMemo } from 'react';
import { searchList, searchTextOf } from '../state/page-search.ts';
import { plainWallet, type Wallet } from './wallet.ts';
import { useWalletBook } from './wallet-book.ts';

/** The wallets that a page shows: by address, or groups of the address book as `g:<name>`. */
export type WalletChoice = readonly string[];

/** The parameter of the address: `?w=0x5eaa…,g:makers`. */
export const searchWallets = searchList(z.union([z.string().regex(/^g:.+$/), writtenAddress]));

const NO_WALLETS: WalletChoice = [];

/**
 * The choice of a page's address. If the address names invalid wallets, none are chosen, because all wallets would be paid for.
 * `invalid`: the parameters that could not be parsed, as written.
 */
export function walletChoiceOf(
  { w }: { readonly w?: WalletChoice | undefined },
  invalid: readonly string[],
): WalletChoice | undefined {
  return invalidText(invalid) === undefined ? w : NO_WALLETS;
}

/** The parameter of a link to another page that shows the same wallets: other ones would have other sums, and cost credits. */
export function walletLinkOf(
  { w }: { readonly w?: WalletChoice | undefined },
  invalid: readonly string[],
): string | undefined {
  return invalidText(invalid) ?? searchTextOf(w);
}

/** The wallets of the address as written, if they are invalid. */
function invalidText(invalid: readonly string[]): string | undefined {
  return invalid.find((text) => text.startsWith('w='))?.slice(2);
}

export interface ChosenWallets {
  /** The wallets without duplicates, in the order of the choice; addresses not in the book become plain wallets. */
  readonly wallets: readonly Wallet[];
  /** Groups in the choice that this browser's address book does not have. */
  readonly missingGroups: readonly string[];
}

/** The wallets of a choice, with groups resolved through the address book; undefined means the whole book. */
export function chosenWallets(book: readonly Wallet[], choice: WalletChoice | undefined): ChosenWallets {
  if (choice === undefined) return { wallets: book, missingGroups: [] };
  const found = new Map<Address, Wallet>();
  const missingGroups: string[] = [];
  const known = new Map<string, Wallet>(book.map((entry) => [entry.address, entry]));
  for (const item of choice) {
    if (item.startsWith('g:')) {
      const members = book.filter(({ group }) => group === item.slice(2));
      if (members.length === 0) missingGroups.push(item.slice(2));
      for (const entry of members) found.set(entry.address, entry);
    } else if (isAddress(item)) {
      found.set(item, known.get(item) ?? plainWallet(item));
    }
  }
  return { wallets: [...found.values()], missingGroups };
}

export function useChosenWallets(choice: WalletChoice | undefined): ChosenWallets {
  const book = useWalletBook(({ wallets }) => wallets);
  return useMemo(() => chosenWallets(book, choice), [book, choice]);
}
