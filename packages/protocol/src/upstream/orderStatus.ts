import { z } from '../zod.ts';
import { upstreamHistoricalOrder } from './historicalOrders.ts';

/** Response of the query `orderStatus`: `status` is `order` if it was found, otherwise a word such as `unknownOid`. */
export const orderStatusResponse = z.union([
  z.looseObject({ status: z.literal('order'), order: upstreamHistoricalOrder }),
  z.looseObject({ status: z.string().refine((status) => status !== 'order', 'must come with the order') }),
]);
