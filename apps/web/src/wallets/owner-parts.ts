import type { Address } from '@l4desk/protocol';
import { useMemo } from 'react';
import { shortAddress } from '../ui/format.ts';
import { type CellPart, numberPart, wordsPart } from '../ui/live-grid/live-column.ts';
import { letterOf, markingsOf } from './marks.ts';
import type { Wallet } from './wallet.ts';
import { useWalletBook } from './wallet-book.ts';

/**
 * Draws what `OwnerName` draws, as the parts of a live grid's cell: a watched wallet as its mark and label, any other as its
 * short address, and null as an owner that the upstream does not name. The function is stable while the address book is
 * unchanged.
 */
export function useOwnerParts(): (user: Address | null) => readonly CellPart[] {
  const wallets = useWalletBook((state) => state.wallets);
  return useMemo(() => {
    const byAddress = new Map(wallets.map((wallet) => [wallet.address, wallet]));
    return (user) => {
      if (user === null) return [wordsPart('owner not named', 'text-dim')];
      const wallet = byAddress.get(user);
      return wallet === undefined ? [{ ...numberPart(shortAddress(user)), isPrivate: true }] : watched(wallet, wallets);
    };
  }, [wallets]);
}

function watched(wallet: Wallet, wallets: readonly Wallet[]): readonly CellPart[] {
  const { address, label, colour } = wallet;
  const outline = markingsOf(wallets).get(address)?.pattern ?? 'plain';
  const name = label === '' ? numberPart(shortAddress(address)) : wordsPart(label);
  return [
    { kind: 'mark', letter: letterOf(wallet), tone: `wallet-${colour}`, outline, isPrivate: true },
    { ...name, isPrivate: true },
  ];
}
