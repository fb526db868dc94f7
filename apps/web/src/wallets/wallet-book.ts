import { type Address, z } from '@l4desk/protocol';
import { useCallback, useMemo } from 'react';
import { accountStore, storedList } from '../state/account.ts';
import { isolated, shortAddress } from '../ui/format.ts';
import { groupBy } from '../ui/group-by.ts';
import { plainWallet, type Wallet, wallet } from './wallet.ts';

interface WalletBook {
  /** In the order they were added, without duplicates. */
  readonly wallets: readonly Wallet[];
  /** Whether the demo's example wallets were already offered, so that removed ones do not come back. */
  readonly hasExamples: boolean;
  /** The account's book, or a demo's example wallets, are being loaded: an empty book is not final yet. */
  readonly awaitsWallets: boolean;
  readonly awaitWallets: (awaited: boolean) => void;
  /** Adds wallets at the end, or before the one at `at`; a wallet with a known address is replaced in place. */
  readonly put: (wallets: readonly Wallet[], at?: number) => void;
  readonly remove: (addresses: readonly Address[]) => void;
  readonly addExamples: (examples: readonly Wallet[]) => void;
}

export const WALLETS_KEY = 'l4desk.wallets';

const kept = z.object({
  wallets: storedList(wallet),
  hasExamples: z.boolean().catch(false).default(false),
});

/**
 * Reads a stored book of any version or origin: skips entries that are not wallets, and keeps the first of duplicate addresses.
 */
export function readWalletBook(text: unknown): Pick<WalletBook, 'wallets' | 'hasExamples'> {
  const { wallets, hasExamples } = kept.safeParse(text).data ?? kept.parse({});
  return { wallets: merged([], wallets.toReversed()).toReversed(), hasExamples };
}

export const useWalletBook = accountStore<WalletBook>(WALLETS_KEY, readWalletBook, (set) => ({
  ...readWalletBook({}),
  awaitsWallets: false,
  awaitWallets: (awaitsWallets) => set({ awaitsWallets }),
  put: (wallets, at) =>
    set(({ wallets: known }) => ({
      wallets: merged(known.slice(0, at), at === undefined ? wallets : [...wallets, ...known.slice(at)]),
    })),
  remove: (addresses) =>
    set((book) => ({ wallets: book.wallets.filter((entry) => !addresses.includes(entry.address)) })),
  addExamples: (examples) =>
    set((book) => ({ hasExamples: true, awaitsWallets: false, wallets: merged(examples, book.wallets) })),
}));

function merged(wallets: readonly Wallet[], changes: readonly Wallet[]): readonly Wallet[] {
  const book = new Map(wallets.map((entry) => [entry.address, entry]));
  for (const entry of changes) book.set(entry.address, entry);
  return [...book.values()];
}

/** The book's entry for an address; a plain wallet if there is none. */
export function useWallet(of: Address): Wallet {
  const entry = useWalletBook(({ wallets }) => wallets.find((item) => item.address === of));
  return useMemo(() => entry ?? plainWallet(of), [entry, of]);
}

/** The groups of the book by name, with their wallets. */
export function groupsOf(wallets: readonly Wallet[]): ReadonlyMap<string, readonly Wallet[]> {
  const grouped = wallets.filter(({ group }) => group !== '').toSorted((a, b) => a.group.localeCompare(b.group));
  return groupBy(grouped, ({ group }) => group);
}

/** Names wallets in a line of text: by their label, or else by their short address. */
export function useWalletText(): (address: string) => string {
  const wallets = useWalletBook((book) => book.wallets);
  return useCallback(
    (address) => isolated(wallets.find((wallet) => wallet.address === address)?.label || shortAddress(address)),
    [wallets],
  );
}
