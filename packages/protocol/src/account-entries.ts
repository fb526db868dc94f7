import { fits } from './fits.ts';
import { writtenAddress } from './info/request.ts';
import { z } from './zod.ts';

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

/** An entry of the address book. The address is in lower case. */
export const walletEntry = z.object({
  address: writtenAddress,
  label: walletFields.label.default(''),
  group: walletFields.group.default(''),
  colour: walletFields.colour.default('grey'),
  tags: walletFields.tags.default([]),
});

export type Wallet = z.infer<typeof walletEntry>;

/** A key as the service shows it: its prefix and last four characters. Nothing longer is ever stored. */
export const SHOWN_KEY_PATTERN = /^[a-z\d]{1,8}_…[\w-]{4}$/;

/** The most characters of a key's name. */
export const KEY_LABEL_MAX = 60;

/** A separate window of a workspace: its address, and where it stands on the screen, in CSS pixels. */
export const savedWindow = z.object({
  href: z.string().max(4_000).startsWith('/book/'),
  left: z.int(),
  top: z.int(),
  width: z.int(),
  height: z.int(),
});

export type SavedWindow = z.infer<typeof savedWindow>;

/** The most windows of a workspace. */
export const WORKSPACE_WINDOWS_MAX = 16;

/** The most characters of a workspace's name. */
export const WORKSPACE_NAME_MAX = 60;

const texts = z.record(z.string(), z.string());

/** A named arrangement of the book page: all that its address says, the radar's coins, and the windows beside it. */
export const workspace = z.object({
  name: z.string().min(1).max(WORKSPACE_NAME_MAX),
  coin: z.string().min(1).max(64),
  /** Checked as a whole, because a refusal names, and a log keeps, the path to what is invalid. */
  search: z.custom<z.infer<typeof texts>>((search) => fits(texts, search)),
  /** Empty: the first ones of the exchange's list. Older versions did not store them. */
  radarCoins: z.array(z.string().min(1).max(64)).max(64).optional(),
  windows: z.array(savedWindow).max(WORKSPACE_WINDOWS_MAX).default([]),
});

export type Workspace = z.infer<typeof workspace>;
