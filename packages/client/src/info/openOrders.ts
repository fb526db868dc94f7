import { openOrder as schema } from '@l4desk/protocol';
import { orderListFunction } from '../info-function.ts';

/**
 * Returns the resting orders of one wallet (§4.2), on the canonical perp dex or on the builder dex `dex`. Empty if there are
 * none. Prices are in quote units, sizes in base units, `timestamp` in ms. `user` may be in any letter case. Costs 1 credit.
 * Rejects with ServiceError (`invalid_request` with path `user`, `upstream_error`, …), TransportError or WireFormatError.
 */
export const openOrders = orderListFunction('openOrders', schema);
