import { maxMarketOrderNtls as schema } from '@l4desk/protocol';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * The largest market order the exchange takes, as `[maxLeverage, maxNotional]` with the notional in USD, the highest
 * leverage first (§4.4). The same for everybody. Costs 1 credit. Rejects with ServiceError, TransportError or
 * WireFormatError.
 */
export const maxMarketOrderNtls = optionalInfoFunction('maxMarketOrderNtls', schema);
