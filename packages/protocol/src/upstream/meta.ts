import { coinName } from '../primitives.ts';
import { z } from '../zod.ts';

/** One perp asset. Sizes of the coin have `szDecimals` decimals, prices at most 6 − szDecimals. */
export const metaAsset = z.looseObject({
  name: coinName,
  szDecimals: z.int().min(0).max(12),
  maxLeverage: z.int().positive(),
  isDelisted: z.boolean().optional(),
});

export type MetaAsset = z.infer<typeof metaAsset>;

/** Response of `meta`. */
export const meta = z.looseObject({ universe: z.array(metaAsset) });

export type Meta = z.infer<typeof meta>;

/** Response of `perpDexs`: the canonical dex comes first and is null. */
export const perpDexs = z.array(z.looseObject({ name: z.string().min(1) }).nullable());
