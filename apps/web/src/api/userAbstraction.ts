import { query } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { infoQuery } from './info-query.ts';

/** How the balances of a wallet are combined, for example `unifiedAccount`. 1 credit. */
export const userAbstractionQuery = (user: Address) =>
  infoQuery(['userAbstraction', user], (client, options) => query(client, 'userAbstraction', { user }, options));
