import { metaAndAssetCtxs } from '@l4desk/client';
import { queryOptions } from '@tanstack/react-query';
import { accountClient, PAID } from './client.ts';

/** The perps of the canonical dex with their market: mid, mark, current funding rate. 1 credit. */
export const metaAndAssetCtxsQuery = queryOptions({
  queryKey: ['info', 'metaAndAssetCtxs'],
  queryFn: ({ signal }) => metaAndAssetCtxs(accountClient(), {}, { signal }),
  ...PAID,
});
