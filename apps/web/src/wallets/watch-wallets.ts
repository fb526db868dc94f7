import type { Address } from '@l4desk/protocol';
import { useEffect } from 'react';
import { useLive } from '../book-worker/use-book.ts';
import { toast } from '../ui/toast.tsx';
import { markingsOf } from './marks.ts';
import { plainWallet } from './wallet.ts';
import { useWalletBook } from './wallet-book.ts';

/** Has the worker track the queues that hold orders of watched wallets. */
export function useWatchedWallets(): void {
  const live = useLive();
  const wallets = useWalletBook((book) => book.wallets);
  useEffect(() => live.choose({ kind: 'wallets', wallets: [...markingsOf(wallets).keys()] }), [live, wallets]);
}

/** Adds a wallet to the address book, so that its orders are marked. */
export function watchWallet(address: Address): void {
  useWalletBook.getState().put([{ ...plainWallet(address), colour: 'magenta' }]);
  toast('Watched: its orders are marked in every pane');
}

/** Removes a wallet from the address book; the toast undoes it. */
export function unwatchWallet(address: Address): void {
  const { wallets, remove, put } = useWalletBook.getState();
  const kept = wallets.find((wallet) => wallet.address === address);
  remove([address]);
  toast('No longer watched', kept && { text: 'Undo', run: () => put([kept]) });
}
