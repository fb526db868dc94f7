import { z } from '../zod.ts';
import { upstreamOrder } from './order.ts';

/** Response of `frontendOpenOrders`: a wallet's resting orders and untriggered trigger orders. */
export const frontendOpenOrders = z.array(upstreamOrder);

export type FrontendOpenOrders = z.infer<typeof frontendOpenOrders>;
