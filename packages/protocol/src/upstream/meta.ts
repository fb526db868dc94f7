import { coinName } from '../primitives.ts';
import { z } from '../zod.ts';

/** Asks for the perp universe; `dex` names a builder dex, absent or empty the canonical one. */
export const metaRequest = z.object({ type: z.literal('meta'), dex: z.string().nullish() });

export type MetaRequest = z.infer<typeof metaRequest>;

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

/** Asks for the builder dexes. */
export const perpDexsRequest = z.object({ type: z.literal('perpDexs') });

/** Response of `perpDexs`: the canonical dex comes first and is null. */
export const perpDexs = z.array(z.looseObject({ name: z.string().min(1) }).nullable());

export type PerpDexs = z.infer<typeof perpDexs>;
