import { query } from '@l4desk/client';
import { infoQuery } from './info-query.ts';

/** The next funding of every perp, on this exchange and on others. 1 credit. */
export const predictedFundingsQuery = infoQuery(['predictedFundings'], (client, options) =>
  query(client, 'predictedFundings', {}, options),
);
