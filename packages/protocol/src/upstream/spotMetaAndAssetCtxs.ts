import { decimalString } from '../primitives.ts';
import { z } from '../zod.ts';
import { spotMeta } from './spotMeta.ts';

/** The market of one spot pair. Join by `coin`, never by index: pairs that are no longer in `universe` are still included. */
export const spotAssetCtx = z.looseObject({
  coin: z.string().min(1),
  prevDayPx: decimalString,
  dayNtlVlm: decimalString,
  markPx: decimalString,
  midPx: decimalString.nullish(),
});

/** Response of `spotMetaAndAssetCtxs`. */
export const spotMetaAndAssetCtxs = z.tuple([spotMeta, z.array(spotAssetCtx)]);

export type SpotMetaAndAssetCtxs = z.infer<typeof spotMetaAndAssetCtxs>;
