import { metaAndAssetCtxs } from '@l4desk/client';
import { infoQuery } from './info-query.ts';

/** The perps of the canonical dex with their market data: mid, mark, current funding rate. 1 credit. */
export const metaAndAssetCtxsQuery = infoQuery(['metaAndAssetCtxs'], (client, options) =>
  metaAndAssetCtxs(client, {}, options),
);
