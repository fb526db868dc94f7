import { usage } from '@l4desk/client';
import { queryOptions } from '@tanstack/react-query';
import { accountClient } from './client.ts';

/** Which days: months back from today (1 is the month so far), or explicit ones, both included. */
export type UsageAsk = { readonly duration: 1 | 3 | 6 | 12 } | { readonly from: string; readonly to: string };

/** Ms for which a response counts as the current one: usage moves with every call, and asking costs nothing. */
const USAGE_FRESH_MS = 60_000;

/** Credits used in one window of UTC days. Needs a ServiceKey in the session; costs nothing. */
export const usageQuery = (ask: UsageAsk) =>
  queryOptions({
    queryKey: ['usage', ask],
    queryFn: ({ signal }) => usage(accountClient(), ask, { signal }),
    staleTime: USAGE_FRESH_MS,
  });
