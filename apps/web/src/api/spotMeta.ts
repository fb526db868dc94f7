import { spotMeta } from '@l4desk/client';
import { infoQuery } from './info-query.ts';

/** Spot pairs and tokens: which names stand behind `@N`. 1 credit, once a visit. */
export const spotMetaQuery = infoQuery(['spotMeta'], (client, options) => spotMeta(client, {}, options));
