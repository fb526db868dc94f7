import { spotMeta } from '@l4desk/client';
import { infoQuery } from './info-query.ts';

/** Spot pairs and tokens: the names of `@N`. 1 credit, once per visit. */
export const spotMetaQuery = infoQuery(['spotMeta'], (client, options) => spotMeta(client, {}, options));
