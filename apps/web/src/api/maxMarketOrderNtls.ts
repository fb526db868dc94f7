import { maxMarketOrderNtls } from '@l4desk/client';
import { queryOptions } from '@tanstack/react-query';
import { accountClient, PAID } from './client.ts';

/** The largest market order per leverage bucket, the highest leverage first. Global. 1 credit. */
export const maxMarketOrderNtlsQuery = queryOptions({
  queryKey: ['info', 'maxMarketOrderNtls'],
  queryFn: ({ signal }) => maxMarketOrderNtls(accountClient(), {}, { signal }),
  ...PAID,
});
