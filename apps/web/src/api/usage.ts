import { usage } from '@l4desk/client';
import { sessionUsage, type UsageWindow } from '@l4desk/protocol';
import { queryOptions } from '@tanstack/react-query';
import { accountClient } from './client.ts';
import { request } from './request.ts';

/** The days to report: months back from today (1 is the month so far), or an explicit range, both ends included. */
export type UsageAsk = { readonly duration: 1 | 3 | 6 | 12 } | { readonly from: string; readonly to: string };

/** How long a response stays fresh, in ms: usage changes with every call, and reading it is free. */
const USAGE_FRESH_MS = 60_000;

/** Credits used in one window of UTC days. Needs a ServiceKey in the session; costs nothing. */
export const usageQuery = (ask: UsageAsk) =>
  queryOptions({
    queryKey: ['usage', ask],
    queryFn: ({ signal }) => usage(accountClient(), ask, { signal }),
    staleTime: USAGE_FRESH_MS,
  });

/** The same credits by kind of use. Only pages may read them; costs nothing. */
export const usageByKindQuery = ({ from, to }: UsageWindow) =>
  queryOptions({
    queryKey: ['usage', 'by kind', from, to],
    queryFn: ({ signal }) => request(`/session/usage?from=${from}&to=${to}`, sessionUsage, { signal }),
    staleTime: USAGE_FRESH_MS,
  });
