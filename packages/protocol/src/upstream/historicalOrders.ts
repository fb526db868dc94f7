import { millis } from '../primitives.ts';
import { z } from '../zod.ts';
import { upstreamOrder } from './order.ts';

/** One state of one order, as the exchange returns it in `historicalOrders` and `orderStatus`. */
export const upstreamHistoricalOrder = z.looseObject({
  order: upstreamOrder,
  status: z.string().nullish(),
  statusTimestamp: millis.nullish(),
});

export type UpstreamHistoricalOrder = z.infer<typeof upstreamHistoricalOrder>;

/** The exchange's response to `historicalOrders`, which has no `limit` (D8). */
export const upstreamHistoricalOrders = z.array(upstreamHistoricalOrder);
