import type { Address, Wallet } from '@l4desk/protocol';

export { WALLET_COLOURS, type Wallet, wallet, walletFields } from '@l4desk/protocol';

export type WalletColour = Wallet['colour'];

/** Whether a text in lower case is part of the wallet's address, label, group or tags. */
export function isFound({ address, label, group, tags }: Wallet, wanted: string): boolean {
  return [address, label, group, ...tags].some((text) => text.toLowerCase().includes(wanted));
}

/** A wallet without a name. */
export function plainWallet(of: Address): Wallet {
  return { address: of, label: '', group: '', colour: 'grey', tags: [] };
}
