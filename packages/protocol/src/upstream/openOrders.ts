import { coinName, decimalString, millis, reportedDecimal, side } from '../primitives.ts';
import { z } from '../zod.ts';

/**
 * A resting order as the exchange's `openOrders` returns it. `cloid` is omitted if there is none, and responses of an older
 * shape have no `origSz` either (D17).
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

const passedOpenOrder = upstreamOpenOrder.extend({
  limitPx: reportedDecimal,
  sz: reportedDecimal,
  origSz: reportedDecimal.optional(),
});

export type PassedOpenOrder = z.infer<typeof passedOpenOrder>;

/** The same as the service passes it on: a number may be any text (D46). */
export const passedOpenOrders = z.array(passedOpenOrder);
