import { z } from '../zod.ts';

/** A spot pair: base and quote token by index. Orders name it `@<index>`, a canonical one by its `name`. */
export const spotPair = z.looseObject({
  name: z.string().min(1),
  tokens: z.array(z.int().nonnegative()),
  index: z.int().nonnegative(),
  isCanonical: z.boolean(),
});

export type SpotPair = z.infer<typeof spotPair>;

/** A token. Sizes have `szDecimals` decimals, prices at most 8 − szDecimals. */
export const spotToken = z.looseObject({
  name: z.string().min(1),
  szDecimals: z.int().nonnegative(),
  weiDecimals: z.int().nonnegative(),
  index: z.int().nonnegative(),
  tokenId: z.string(),
  isCanonical: z.boolean(),
});

export type SpotToken = z.infer<typeof spotToken>;

/** Response of `spotMeta`. */
export const spotMeta = z.looseObject({ universe: z.array(spotPair), tokens: z.array(spotToken) });

export type SpotMeta = z.infer<typeof spotMeta>;
