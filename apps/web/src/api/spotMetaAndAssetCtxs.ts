import { spotMetaAndAssetCtxs } from '@l4desk/client';
import { infoQuery } from './info-query.ts';

/** Spot pairs and tokens with the mid of each pair. 1 credit. */
export const spotMarketsQuery = infoQuery(['spotMetaAndAssetCtxs'], (client, options) =>
  spotMetaAndAssetCtxs(client, {}, options),
);
