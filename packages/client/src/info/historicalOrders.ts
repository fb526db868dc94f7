import { historicalOrders as schema } from '@l4desk/protocol';
import { infoFunction } from '../info-function.ts';

/**
 * A wallet's most recent orders over all coins, open and finalized (§4.3): at most `limit`, a whole number from 1, 2,000
 * when it is left out or larger. One oid may occur twice, as it was and as it is (D17); `statusTimestamp` in ms. Costs 1
 * credit. Rejects with ServiceError (`invalid_request` with path `user` or `limit`, …), TransportError or WireFormatError.
 */
export const historicalOrders = infoFunction('historicalOrders', schema);
