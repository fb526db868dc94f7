import type { Address } from '@l4desk/protocol';
import { MARK_MAX } from '../book-worker/watched.ts';
import { WALLET_COLOURS, type Wallet, type WalletColour } from './wallet.ts';
import { useWalletBook } from './wallet-book.ts';

/** Patterns that distinguish watched wallets of one colour, also where a label does not fit. */
const MARK_PATTERNS = ['plain', 'striped', 'dotted', 'hollow'] as const;

export type MarkPattern = (typeof MARK_PATTERNS)[number];

/** How a watched wallet is recognised, the same in every pane: a colour, a pattern, a letter, and its label. */
export interface WalletMarking {
  readonly wallet: Wallet;
  /** Its position among the watched wallets, from 1. Packed frames use this number; 0 means no watched wallet. */
  readonly mark: number;
  readonly hue: WalletColour;
  readonly pattern: MarkPattern;
  readonly letter: string;
}

const known = new WeakMap<readonly Wallet[], ReadonlyMap<Address, WalletMarking>>();

/**
 * The marks of an address book's wallets, by address in lower case and in the book's order; only the first `MARK_MAX` are watched.
 * Wallets of one colour get different patterns until the patterns run out. The same list returns the same marks.
 */
export function markingsOf(wallets: readonly Wallet[]): ReadonlyMap<Address, WalletMarking> {
  const made = known.get(wallets);
  if (made !== undefined) return made;
  const used = new Map(WALLET_COLOURS.map((colour) => [colour, 0]));
  const markings = new Map(
    wallets.slice(0, MARK_MAX).map((wallet, index) => {
      const { colour, address } = wallet;
      const before = used.get(colour) ?? 0;
      used.set(colour, before + 1);
      const pattern = MARK_PATTERNS[before % MARK_PATTERNS.length] ?? 'plain';
      return [address, { wallet, mark: index + 1, hue: colour, pattern, letter: letterOf(wallet) }];
    }),
  );
  known.set(wallets, markings);
  return markings;
}

/** The letter shown with a wallet's colour: the first visible one of its group, else of its label, else of its address. */
export function letterOf({ group, label, address }: Wallet): string {
  return (/\P{Cf}/u.exec(group || label)?.[0] ?? address.charAt(2)).toUpperCase();
}

/** The mark of a watched wallet; undefined for any other. */
export function useMarking(address: Address): WalletMarking | undefined {
  return useWalletBook(({ wallets }) => markingsOf(wallets).get(address));
}
