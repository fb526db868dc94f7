import { maxMarketOrderNtls } from '@l4desk/client';
import { infoQuery } from './info-query.ts';

/** The largest market order per leverage bucket, highest leverage first. The same for all wallets. 1 credit. */
export const maxMarketOrderNtlsQuery = infoQuery(['maxMarketOrderNtls'], (client, options) =>
  maxMarketOrderNtls(client, {}, options),
);
