import { frontendOpenOrders } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import type { FrontendOpenOrders } from '@l4desk/protocol/upstream';
import { infoQuery } from './info-query.ts';

/** The resting orders and waiting triggers of one wallet with all that is known of each; `dex` names a builder's. 1 credit. */
export const frontendOpenOrdersQuery = (user: Address, dex = '') =>
  infoQuery(
    ['frontendOpenOrders', user, dex],
    (client, options): Promise<FrontendOpenOrders> =>
      frontendOpenOrders(client, { user, ...(dex === '' ? {} : { dex }) }, options),
  );
