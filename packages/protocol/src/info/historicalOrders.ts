import { HISTORICAL_ORDERS_LIMIT_MAX } from '../limits.ts';
import { millis } from '../primitives.ts';
import type { PassedHistoricalOrder } from '../upstream/historicalOrders.ts';
import { ORDER_FIELDS, type PassedOrder } from '../upstream/order.ts';
import { z } from '../zod.ts';
import { wallet } from './fields.ts';

/**
 * `limit` is any whole number from 1: above 2000 it is capped; left out, or null, it is 2000 (INFO-34). Checked by hand because a number past
 * what a double counts exactly is still a large limit, not an invalid one (D8).
 */
const limit = z
  .number()
  .refine((value) => Number.isInteger(value) && value >= 1, 'must be a positive integer')
  .meta({ type: 'integer', minimum: 1, description: `above ${HISTORICAL_ORDERS_LIMIT_MAX} it is capped` })
  .nullish()
  .meta({ default: HISTORICAL_ORDERS_LIMIT_MAX })
  .transform((value) => Math.min(value ?? HISTORICAL_ORDERS_LIMIT_MAX, HISTORICAL_ORDERS_LIMIT_MAX));

/**
 * Asks for a wallet's most recent orders across every coin, open and finalized (§4.3). The exchange knows no `limit`:
 * the service applies it with `servedHistoricalOrders` and sends `type` and `user` alone upstream (D8).
 * Refused as `invalid_request`: anything but a wallet address (path `user`), a `limit` below 1 or not whole (path `limit`).
 */
export const historicalOrdersRequest = z.object({ type: z.literal('historicalOrders'), user: wallet, limit });

const childless = z.looseObject({ ...ORDER_FIELDS, cloid: z.string().nullable() });

/**
 * An order with all that is known of it (§2.3). `orderType`, `tif` and `triggerCondition` are open sets (see
 * `order-vocabulary.ts`); without a trigger `triggerPx` is `0.0`. `children` are whole orders again, its TP/SL legs (D17).
 * Other fields pass through.
 */
export interface FullOrder extends z.infer<typeof childless> {
  children: FullOrder[];
}

export const fullOrder: z.ZodType<FullOrder> = childless
  .extend({
    get children() {
      return z.array(fullOrder);
    },
  })
  .meta({ id: 'FullOrder', description: 'an order, open or finalized' });

/** An order with its current or last status, an open set (§3), and when that took effect, in ms (§2.3). */
export const historicalOrder = z
  .looseObject({ order: fullOrder, status: z.string(), statusTimestamp: millis })
  .meta({ id: 'HistoricalOrder', description: 'an order with its status' });

export type HistoricalOrder = z.infer<typeof historicalOrder>;

/** Response of `historicalOrders`. One oid may occur twice, as it was and as it is: entries are never merged (D17). */
export const historicalOrders = z.array(historicalOrder);

/**
 * The response in the form of the specification: a missing `cloid` becomes null, in children too, and of more than `limit`
 * entries the newest by `statusTimestamp` stay, newest first (D8); up to `limit` they keep the order they came in. It is
 * the very same array when nothing has to change, and an entry in which nothing does is the very same entry, so that the
 * bytes may be passed on.
 */
export function servedHistoricalOrders(
  entries: readonly PassedHistoricalOrder[],
  limit: number,
): readonly PassedHistoricalOrder[] {
  const kept = entries.length > limit ? newestFirst(entries).slice(0, limit) : entries;
  if (kept.every(isCompleteEntry)) return kept;
  return kept.map((entry) => (isCompleteEntry(entry) ? entry : { ...entry, order: completed(entry.order) }));
}

/** Entries of one moment keep the order they came in. */
function newestFirst(entries: readonly PassedHistoricalOrder[]): readonly PassedHistoricalOrder[] {
  return [...entries].sort((a, b) => b.statusTimestamp - a.statusTimestamp);
}

function isCompleteEntry(entry: PassedHistoricalOrder): boolean {
  return isComplete(entry.order);
}

function isComplete(order: PassedOrder): boolean {
  return order.cloid !== undefined && order.children.every(isComplete);
}

function completed(order: PassedOrder): PassedOrder {
  return { ...order, cloid: order.cloid ?? null, children: order.children.map(completed) };
}
