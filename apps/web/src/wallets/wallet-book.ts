import { type Address, z } from '@l4desk/protocol';
import { useMemo } from 'react';
import { accountStore } from '../state/account.ts';
import { groupBy } from '../ui/group-by.ts';
import { plainWallet, type Wallet, wallet } from './wallet.ts';

interface WalletBook {
  /** In the order they were added, each address once. */
  readonly wallets: readonly Wallet[];
  /** Whether the demo's example wallets were offered already: who removes them does not get them again. */
  readonly hasExamples: boolean;
  /** The example wallets are on their way: the book is not empty, it is not full yet. */
  readonly awaitsExamples: boolean;
  readonly awaitExamples: (awaited: boolean) => void;
  /** Adds wallets; those with a known address are replaced where they stand. */
  readonly put: (wallets: readonly Wallet[]) => void;
  readonly remove: (addresses: readonly Address[]) => void;
  readonly addExamples: (examples: readonly Wallet[]) => void;
  /** The whole book, replaced. */
  readonly replace: (wallets: readonly Wallet[]) => void;
}

export const WALLETS_KEY = 'l4desk.wallets';

const kept = z.object({
  wallets: z.array(z.unknown()).catch([]).default([]),
  hasExamples: z.boolean().catch(false).default(false),
});

/** Reads a kept book of any age or origin: an entry that is no wallet is left out, of one address the first stays. */
export function readWalletBook(text: unknown): Pick<WalletBook, 'wallets' | 'hasExamples'> {
  const { wallets, hasExamples } = kept.safeParse(text).data ?? kept.parse({});
  const found = wallets.flatMap((entry) => wallet.safeParse(entry).data ?? []);
  return { wallets: merged([], found.toReversed()).toReversed(), hasExamples };
}

export const useWalletBook = accountStore<WalletBook>(WALLETS_KEY, readWalletBook, (set) => ({
  ...readWalletBook({}),
  awaitsExamples: false,
  awaitExamples: (awaitsExamples) => set({ awaitsExamples }),
  put: (wallets) => set((book) => ({ wallets: merged(book.wallets, wallets) })),
  remove: (addresses) =>
    set((book) => ({ wallets: book.wallets.filter((entry) => !addresses.includes(entry.address)) })),
  addExamples: (examples) =>
    set((book) => ({ hasExamples: true, awaitsExamples: false, wallets: merged(examples, book.wallets) })),
  replace: (wallets) => set({ wallets: merged([], wallets) }),
}));

function merged(wallets: readonly Wallet[], changes: readonly Wallet[]): readonly Wallet[] {
  const book = new Map(wallets.map((entry) => [entry.address, entry]));
  for (const entry of changes) book.set(entry.address, entry);
  return [...book.values()];
}

/** The book's entry of an address; a plain one when it has none. */
export function useWallet(of: Address): Wallet {
  const entry = useWalletBook(({ wallets }) => wallets.find((item) => item.address === of));
  return useMemo(() => entry ?? plainWallet(of), [entry, of]);
}

/** The groups of the book in order of name, with their wallets. */
export function groupsOf(wallets: readonly Wallet[]): ReadonlyMap<string, readonly Wallet[]> {
  const grouped = wallets.filter(({ group }) => group !== '').toSorted((a, b) => a.group.localeCompare(b.group));
  return groupBy(grouped, ({ group }) => group);
}
