import { frontendOpenOrders } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import type { FrontendOpenOrders } from '@l4desk/protocol/upstream';
import { infoQuery } from './info-query.ts';

/** The resting orders and waiting triggers of one wallet with all known fields; `dex` names a builder's dex. 1 credit. */
export const frontendOpenOrdersQuery = (user: Address, dex = '') =>
  infoQuery(
    ['frontendOpenOrders', user, dex],
    (client, options): Promise<FrontendOpenOrders> =>
      frontendOpenOrders(client, { user, ...(dex === '' ? {} : { dex }) }, options),
  );
