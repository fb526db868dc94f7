import { useCallback } from 'react';
import { shortAddress } from '../ui/format.ts';
import { useWalletBook } from './wallet-book.ts';

/** How wallets are named in a line of text: by their label, or by their short address. */
export function useWalletText(): (address: string) => string {
  const wallets = useWalletBook((book) => book.wallets);
  return useCallback(
    (address) => wallets.find((wallet) => wallet.address === address)?.label || shortAddress(address),
    [wallets],
  );
}
