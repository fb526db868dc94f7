import { query } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { infoQuery } from './info-query.ts';

/** The last executions of a wallet, newest first, at most 2,000. 1 credit. */
export const userFillsQuery = (user: Address) =>
  infoQuery(['userFills', user], (client, options) => query(client, 'userFills', { user }, options));
