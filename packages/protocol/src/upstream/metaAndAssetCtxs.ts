import { decimalString } from '../primitives.ts';
import { z } from '../zod.ts';
import { meta } from './meta.ts';

/** The market of one perp, at the same index as its asset in `universe`. Without orders there is no mid and no premium. */
export const perpAssetCtx = z.looseObject({
  funding: decimalString,
  openInterest: decimalString,
  prevDayPx: decimalString,
  dayNtlVlm: decimalString,
  oraclePx: decimalString,
  markPx: decimalString,
  midPx: decimalString.nullish(),
  premium: decimalString.nullish(),
});

/** Response of `metaAndAssetCtxs`. */
export const metaAndAssetCtxs = z.tuple([meta, z.array(perpAssetCtx)]);

export type MetaAndAssetCtxs = z.infer<typeof metaAndAssetCtxs>;
