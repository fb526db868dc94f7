import { metaAndAssetCtxs } from '@l4desk/client';
import { infoQuery } from './info-query.ts';

/** The perps of a dex (the canonical one is '') with their market data: mid, mark, current funding rate. 1 credit. */
export const dexMarketsQuery = (dex: string) =>
  infoQuery(['metaAndAssetCtxs', dex], (client, options) =>
    metaAndAssetCtxs(client, dex === '' ? {} : { dex }, options),
  );

export const metaAndAssetCtxsQuery = dexMarketsQuery('');
