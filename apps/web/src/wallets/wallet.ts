import { ADDRESS_PATTERN, type Address, address, z } from '@l4desk/protocol';

/** The colours a wallet can have; its mark carries a letter beside it. */
export const WALLET_COLOURS = ['grey', 'blue', 'orange', 'green', 'magenta', 'yellow'] as const;

/** An entry of the address book. The address is in lower case. */
export const wallet = z.object({
  address: z
    .string()
    .regex(ADDRESS_PATTERN)
    .transform((text) => text.toLowerCase())
    .pipe(address),
  label: z.string().trim().max(80).catch('').default(''),
  group: z.string().trim().max(40).catch('').default(''),
  colour: z.enum(WALLET_COLOURS).catch('grey').default('grey'),
  tags: z.array(z.string().trim().min(1).max(40)).catch([]).default([]),
});

export type Wallet = z.infer<typeof wallet>;
export type WalletColour = Wallet['colour'];

/** A wallet nobody named. */
export function plainWallet(of: Address): Wallet {
  return { address: of, label: '', group: '', colour: 'grey', tags: [] };
}
