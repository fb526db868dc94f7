import { z } from '../zod.ts';
import { upstreamHistoricalOrder } from './historicalOrders.ts';

/**
 * Response of the query `orderStatus`, not to be confused with an order status of the stream: `status` is `order` when the
 * order was found, else a word such as `unknownOid` and no `order`.
 */
export const orderStatusResponse = z.union([
  z.looseObject({ status: z.literal('order'), order: upstreamHistoricalOrder }),
  z.looseObject({ status: z.string().refine((status) => status !== 'order', 'must come with the order') }),
]);
