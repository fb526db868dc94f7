import { historicalOrder as schema } from '@l4desk/protocol';
import { orderListFunction } from '../info-function.ts';

/**
 * Returns a wallet's most recent orders over all coins, open and finalized (§4.3). At most `limit` of them, a whole number from 1
 * to 2,000; 2,000 if it is omitted or larger. One oid may occur twice, with its former and its current status (D17).
 * `statusTimestamp` is in ms. Costs 1 credit. Rejects with ServiceError (`invalid_request` with path `user` or `limit`, …),
 * TransportError or WireFormatError.
 */
export const historicalOrders = orderListFunction('historicalOrders', schema);
