import { openOrders } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { queryOptions } from '@tanstack/react-query';
import { accountClient, PAID } from './client.ts';

/** The resting orders of one wallet; `dex` names a builder's, empty the canonical one. 1 credit. */
export const openOrdersQuery = (user: Address, dex = '') =>
  queryOptions({
    queryKey: ['info', 'openOrders', user, dex],
    queryFn: ({ signal }) => openOrders(accountClient(), { user, ...(dex === '' ? {} : { dex }) }, { signal }),
    ...PAID,
  });
