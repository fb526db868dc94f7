import { isObject } from '../json.ts';
import { millis, reportedAmount, reportedDecimal } from '../primitives.ts';
import { z } from '../zod.ts';
import { dex, wallet } from './request.ts';

/** Requests the resting orders of a wallet (§4.2). Refused: not a wallet address, a `dex` that is not text. */
export const openOrdersRequest = z.object({ type: z.literal('openOrders'), user: wallet, dex });

/** A resting order (§2.2). `sz` is unfilled, `origSz` before any fill, in base units; `timestamp` is in ms. */
export const openOrder = z
  .looseObject({
    coin: z.string(),
    side: z.string().meta({ description: 'B bid, A ask' }),
    limitPx: reportedAmount,
    sz: reportedAmount,
    oid: z.int().nonnegative(),
    timestamp: millis.nullish(),
    origSz: reportedDecimal.nullable(),
    cloid: z.string().nullable(),
  })
  .meta({ id: 'OpenOrder', description: 'a resting order' });

export type OpenOrder = z.infer<typeof openOrder>;

/** Response of `openOrders`: empty if the wallet has no resting order (§4.2). */
export const openOrders = z.array(openOrder);

/**
 * The row as specified (D17): a missing `cloid` becomes null, a missing `origSz` (an older shape) `sz`, the least that it
 * can have been. Returns the row itself if nothing is missing (D59).
 */
export function completedOpenOrder(order: unknown): unknown {
  if (!isObject(order) || (order.origSz !== undefined && order.cloid !== undefined)) return order;
  const { origSz = order.sz, cloid = null } = order;
  return { ...order, origSz, cloid };
}
