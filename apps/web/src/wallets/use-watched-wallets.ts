import { useEffect } from 'react';
import { useLive } from '../book-worker/use-book.ts';
import { markingsOf } from './marks.ts';
import { useWalletBook } from './wallet-book.ts';

/** Has the worker track the queues that hold orders of watched wallets. */
export function useWatchedWallets(): void {
  const live = useLive();
  const wallets = useWalletBook((book) => book.wallets);
  useEffect(() => live.choose({ kind: 'wallets', wallets: [...markingsOf(wallets).keys()] }), [live, wallets]);
}
