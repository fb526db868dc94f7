import { type Address, writtenAddress, z } from '@l4desk/protocol';

/** The colours a wallet can have; its mark shows a letter beside the colour. */
export const WALLET_COLOURS = ['grey', 'blue', 'orange', 'green', 'magenta', 'yellow'] as const;

/** Valid values for the fields of a wallet. */
export const walletFields = {
  label: z.string().trim().max(80, 'is longer than 80 characters'),
  group: z.string().trim().max(40, 'is longer than 40 characters'),
  colour: z.enum(WALLET_COLOURS, `must be one of ${WALLET_COLOURS.join(', ')}`),
  tags: z.array(
    z
      .string('contains a value that is not text')
      .trim()
      .min(1, 'contains an empty tag')
      .max(40, 'contains a tag longer than 40 characters'),
  ),
} as const;

/** An entry of the address book. The address is in lower case; a field that cannot be read counts as missing. */
export const wallet = z.object({
  address: writtenAddress,
  label: walletFields.label.catch('').default(''),
  group: walletFields.group.catch('').default(''),
  colour: walletFields.colour.catch('grey').default('grey'),
  tags: walletFields.tags.catch([]).default([]),
});

export type Wallet = z.infer<typeof wallet>;
export type WalletColour = Wallet['colour'];

/** Whether a text in lower case is part of the wallet's address, label, group or tags. */
export function isFound({ address, label, group, tags }: Wallet, wanted: string): boolean {
  return [address, label, group, ...tags].some((text) => text.toLowerCase().includes(wanted));
}

/** A wallet without a name. */
export function plainWallet(of: Address): Wallet {
  return { address: of, label: '', group: '', colour: 'grey', tags: [] };
}
