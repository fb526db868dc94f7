import { type Address, type Wallet, walletEntry, walletFields } from '@l4desk/protocol';

export { WALLET_COLOURS, type Wallet, walletFields } from '@l4desk/protocol';

/** An entry as this browser or a file has it: a field that cannot be read counts as missing. */
export const wallet = walletEntry.extend({
  label: walletFields.label.catch('').default(''),
  group: walletFields.group.catch('').default(''),
  colour: walletFields.colour.catch('grey').default('grey'),
  tags: walletFields.tags.catch([]).default([]),
});

export type WalletColour = Wallet['colour'];

/** Whether a text in lower case is part of the wallet's address, label, group or tags. */
export function isFound({ address, label, group, tags }: Wallet, wanted: string): boolean {
  return [address, label, group, ...tags].some((text) => text.toLowerCase().includes(wanted));
}

/** A wallet without a name. */
export function plainWallet(of: Address): Wallet {
  return { address: of, label: '', group: '', colour: 'grey', tags: [] };
}
