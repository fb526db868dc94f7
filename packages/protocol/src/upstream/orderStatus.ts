import { z } from '../zod.ts';
import { upstreamHistoricalOrder } from './historicalOrders.ts';

/**
 * Response of the query `orderStatus`, not to be confused with an order status of the stream: `status` is `order` if the order
 * was found, otherwise a word such as `unknownOid`, and there is no `order`.
 */
export const orderStatusResponse = z.union([
  z.looseObject({ status: z.literal('order'), order: upstreamHistoricalOrder }),
  z.looseObject({ status: z.string().refine((status) => status !== 'order', 'must come with the order') }),
]);
