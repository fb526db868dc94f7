import { query } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { infoQuery } from './info-query.ts';

/** What a wallet is: a user, an agent, a sub-account or a vault. 1 credit. */
export const userRoleQuery = (user: Address) =>
  infoQuery(['userRole', user], (client, options) => query(client, 'userRole', { user }, options));
