import { useCallback } from 'react';
import { isolated, shortAddress } from '../ui/format.ts';
import { useWalletBook } from './wallet-book.ts';

/** Names wallets in a line of text: by their label, or else by their short address. */
export function useWalletText(): (address: string) => string {
  const wallets = useWalletBook((book) => book.wallets);
  return useCallback(
    (address) => isolated(wallets.find((wallet) => wallet.address === address)?.label || shortAddress(address)),
    [wallets],
  );
}
