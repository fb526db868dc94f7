import { isObject, mapChanged } from '../json.ts';
import { millis, reportedAmount, reportedDecimal } from '../primitives.ts';
import { z } from '../zod.ts';
import { dex, wallet } from './fields.ts';

/**
 * Requests the resting orders of one wallet (§4.2), on the canonical perp dex or on a builder's.
 * Rejected as `invalid_request`: anything but a wallet address (path `user`), a `dex` that is not text (path `dex`).
 */
export const openOrdersRequest = z.object({ type: z.literal('openOrders'), user: wallet, dex });

/**
 * A resting order (§2.2). `sz` is the unfilled size, `origSz` the size before any fill, both in base units; `timestamp` is when
 * it was placed, in ms. `cloid` is null if none was given. Other fields pass through.
 */
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
 * The response in the form of the specification, which requires fields that the exchange may omit (D17). A missing `cloid`
 * becomes null. A missing `origSz` (an older shape) becomes `sz`: the minimum that the order can have been, and exact if
 * nothing was filled. Every other field and row stays as sent (D59). Returns the same array if nothing is missing, and the same
 * order if it is complete, so that the bytes may be passed on.
 */
export function servedOpenOrders(orders: readonly unknown[]): readonly unknown[] {
  return mapChanged(orders, (order) => {
    if (!isObject(order) || (order.origSz !== undefined && order.cloid !== undefined)) return order;
    const { origSz = order.sz, cloid = null } = order;
    return { ...order, origSz, cloid };
  });
}
