import { frontendOpenOrders as schema } from '@l4desk/protocol/upstream';
import { infoFunction } from '../info-function.ts';

/**
 * The resting orders and waiting triggers of one wallet with all that is known of each, on the canonical perp dex or on
 * `dex`. As the exchange returns it (D15). Costs 1 credit. Rejects with ServiceError (`invalid_request` with path `user`, …),
 * TransportError or WireFormatError.
 */
export const frontendOpenOrders = infoFunction('frontendOpenOrders', schema);
