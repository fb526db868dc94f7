import { useEffect } from 'react';
import { useLive } from '../book-worker/live-context.tsx';
import { markingsOf } from './marks.ts';
import { useWalletBook } from './wallet-book.ts';

/** Has the worker follow the queues in which orders of the watched wallets rest. */
export function useWatchedWallets(): void {
  const live = useLive();
  const wallets = useWalletBook((book) => book.wallets);
  useEffect(() => live.watchWallets([...markingsOf(wallets).keys()]), [live, wallets]);
}
