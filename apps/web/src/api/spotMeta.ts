import { spotMeta } from '@l4desk/client';
import { queryOptions } from '@tanstack/react-query';
import { accountClient, PAID } from './client.ts';

/** Spot pairs and tokens: which names stand behind `@N`. 1 credit, once a visit. */
export const spotMetaQuery = queryOptions({
  queryKey: ['info', 'spotMeta'],
  queryFn: ({ signal }) => spotMeta(accountClient(), {}, { signal }),
  ...PAID,
});
