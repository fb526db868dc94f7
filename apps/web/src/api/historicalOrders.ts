import { historicalOrders } from '@l4desk/client';
import { type Address, HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import { infoQuery } from './info-query.ts';

/** The newest orders of one wallet, open and finalized, across every coin; at most 2,000. 1 credit. */
export const historicalOrdersQuery = (user: Address) =>
  infoQuery(['historicalOrders', user], (client, options) =>
    historicalOrders(client, { user, limit: HISTORICAL_ORDERS_LIMIT_MAX }, options),
  );
