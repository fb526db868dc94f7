import { coinName, decimalString, millis, side } from '../primitives.ts';
import { z } from '../zod.ts';

/**
 * A resting order as the exchange returns it: without `cloid` if there is none, in an older shape without `origSz`
 * (D17).
 */
export const upstreamOpenOrder = z.looseObject({
  coin: coinName,
  side,
  limitPx: decimalString,
  sz: decimalString,
  oid: z.int().nonnegative(),
  timestamp: millis,
  origSz: decimalString.optional(),
  cloid: z.string().nullish(),
});

export type UpstreamOpenOrder = z.infer<typeof upstreamOpenOrder>;

/** The exchange's response to `openOrders`. */
export const upstreamOpenOrders = z.array(upstreamOpenOrder);
