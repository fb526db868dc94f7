import { isObject } from '../json.ts';
import { HISTORICAL_ORDERS_LIMIT_MAX } from '../limits.ts';
import { millis } from '../primitives.ts';
import { ORDER_FIELDS } from '../upstream/info.ts';
import { z } from '../zod.ts';
import { wallet } from './request.ts';

/** Any integer from 1, capped at 2000, the default (INFO-22). Not `z.int`, which refuses large ones (D8). */
const limit = z
  .number()
  .refine((value) => Number.isInteger(value) && value >= 1, 'must be a positive integer')
  .meta({ type: 'integer', minimum: 1, description: `above ${HISTORICAL_ORDERS_LIMIT_MAX} it is capped` })
  .nullish()
  .meta({ default: HISTORICAL_ORDERS_LIMIT_MAX })
  .transform((value) => Math.min(value ?? HISTORICAL_ORDERS_LIMIT_MAX, HISTORICAL_ORDERS_LIMIT_MAX));

/**
 * Requests a wallet's most recent orders, open and finalized (§4.3). The service applies `limit` (D8). Refused: not a
 * wallet address (path `user`), a `limit` below 1 or not an integer (path `limit`).
 */
export const historicalOrdersRequest = z.object({ type: z.literal('historicalOrders'), user: wallet, limit });

const childless = z.looseObject({ ...ORDER_FIELDS, cloid: z.string().nullable() });

/**
 * An order with all its known fields (§2.3). `orderType`, `tif` and `triggerCondition` are open sets; without a trigger
 * `triggerPx` is `0.0`; `children` are complete orders, its TP/SL legs (D17).
 */
export interface FullOrder extends z.infer<typeof childless> {
  children?: FullOrder[] | null | undefined;
}

export const fullOrder: z.ZodType<FullOrder> = childless
  .extend({
    get children() {
      return z.array(fullOrder).nullish();
    },
  })
  .meta({ id: 'FullOrder', description: 'an order, open or finalized' });

/** An order with its current or last status, an open set (§3), and when that took effect, in ms (§2.3). */
export const historicalOrder = z
  .looseObject({ order: fullOrder, status: z.string().nullish(), statusTimestamp: millis.nullish() })
  .meta({ id: 'HistoricalOrder', description: 'an order with its status' });

export type HistoricalOrder = z.infer<typeof historicalOrder>;

/** Response of `historicalOrders`. One oid may occur twice, with an earlier and the current state (D17). */
export const historicalOrders = z.array(historicalOrder);

/** The entries within `limit`: of more, the newest, newest first (D8); the same array if there are not more. */
export function newestHistoricalOrders(entries: readonly unknown[], limit: number): readonly unknown[] {
  if (entries.length <= limit) return entries;
  // Entries with equal times keep their order; those without a time come last.
  return [...entries].sort((a, b) => statusTimeOf(b) - statusTimeOf(a)).slice(0, limit);
}

function statusTimeOf(entry: unknown): number {
  const time = isObject(entry) ? entry.statusTimestamp : undefined;
  return typeof time === 'number' ? time : 0;
}

/** The entry as specified: a missing `cloid` becomes null, in children too. Returns the entry itself if none is missing (D59). */
export function completedHistoricalOrder(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const order = completed(entry.order);
  return order === entry.order ? entry : { ...entry, order };
}

/** The order with a `cloid`; the same order if it and its children had one. */
function completed(order: unknown): unknown {
  if (!isObject(order)) return order;
  const { cloid = null, children } = order;
  const legs: unknown = Array.isArray(children) ? children.map(completed) : children;
  const isSame = !Array.isArray(legs) || legs.every((leg, at) => leg === (children as readonly unknown[])[at]);
  if (isSame) return order.cloid === undefined ? { ...order, cloid } : order;
  return { ...order, cloid, children: legs };
}
