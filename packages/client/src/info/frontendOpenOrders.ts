import { upstreamOrder as schema } from '@l4desk/protocol/upstream';
import { orderListFunction } from '../info-function.ts';

/**
 * Returns the resting orders and pending triggers of one wallet with every known field, on the canonical perp dex or on `dex`.
 * The response is the exchange's, unchanged (D15). Costs 1 credit. Rejects with ServiceError (`invalid_request` with path `user`,
 * …), TransportError or WireFormatError.
 */
export const frontendOpenOrders = orderListFunction('frontendOpenOrders', schema);
