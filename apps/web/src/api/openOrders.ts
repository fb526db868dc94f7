import { openOrders } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { infoQuery } from './info-query.ts';

/** The resting orders of one wallet; `dex` names a builder's dex, empty means the canonical one. 1 credit. */
export const openOrdersQuery = (user: Address, dex = '') =>
  infoQuery(['openOrders', user, dex], (client, options) =>
    openOrders(client, { user, ...(dex === '' ? {} : { dex }) }, options),
  );
