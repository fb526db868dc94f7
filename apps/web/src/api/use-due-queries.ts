import { type FetchQueryOptions, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useOpenedAt } from '../hooks/use-now.ts';

/** Whether a query is to be made on opening a page: it has no response, failed before, or its response was old by then. */
function isDue(queryClient: QueryClient, queryKey: QueryKey, openedAt: number, staleAfterMs: number): boolean {
  const state = queryClient.getQueryState(queryKey);
  if (state === undefined || state.status === 'pending') return true;
  if (state.status === 'error') return state.errorUpdatedAt < openedAt && isRetryable(state.error);
  return openedAt - state.dataUpdatedAt > staleAfterMs;
}

/** Whether the same call may succeed later. */
export function isRetryable(error: unknown): boolean {
  return typeof error !== 'object' || error === null || !('retryable' in error) || error.retryable === true;
}

type Query = Pick<FetchQueryOptions, 'queryKey'>;

/** The paid queries that are due on opening the page. Pass a stable list. */
export function useDueQueries<Own extends Query>(queries: readonly Own[], staleAfterMs: number): readonly Own[] {
  const queryClient = useQueryClient();
  const openedAt = useOpenedAt();
  return useMemo(
    () => queries.filter(({ queryKey }) => isDue(queryClient, queryKey, openedAt, staleAfterMs)),
    [queryClient, queries, openedAt, staleAfterMs],
  );
}

/** Once allowed, repeats those that failed or whose response is old; the page's own `useQuery` makes those without a response. */
export function useRepeatOnce(due: readonly Query[], isAllowed: boolean): void {
  const queryClient = useQueryClient();
  const repeated = useRef<readonly Query[]>(undefined);
  useEffect(() => {
    // Another limit may forbid and allow it again.
    if (!isAllowed || repeated.current === due) return;
    repeated.current = due;
    for (const query of due) {
      const status = queryClient.getQueryState(query.queryKey)?.status ?? 'pending';
      if (status !== 'pending') void queryClient.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined);
    }
  }, [isAllowed, due, queryClient]);
}
