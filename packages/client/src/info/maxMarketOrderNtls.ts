import { maxMarketOrderNtls as schema } from '@l4desk/protocol';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * Returns the largest market order that the exchange accepts, as `[maxLeverage, maxNotional]` with the notional in USD, highest
 * leverage first (§4.4). The same for every account. Costs 1 credit. Rejects with ServiceError, TransportError or
 * WireFormatError.
 */
export const maxMarketOrderNtls = optionalInfoFunction('maxMarketOrderNtls', schema);
