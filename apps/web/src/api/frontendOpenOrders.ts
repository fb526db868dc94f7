import { frontendOpenOrders } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import type { FrontendOpenOrders } from '@l4desk/protocol/upstream';
import { queryOptions } from '@tanstack/react-query';
import { accountClient, PAID } from './client.ts';

/** The resting orders and waiting triggers of one wallet with all that is known of each; `dex` names a builder's. 1 credit. */
export const frontendOpenOrdersQuery = (user: Address, dex = '') =>
  queryOptions({
    queryKey: ['info', 'frontendOpenOrders', user, dex],
    queryFn: ({ signal }): Promise<FrontendOpenOrders> =>
      frontendOpenOrders(accountClient(), { user, ...(dex === '' ? {} : { dex }) }, { signal }),
    ...PAID,
  });
