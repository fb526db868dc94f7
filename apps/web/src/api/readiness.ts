import { type Readiness, readiness } from '@l4desk/protocol';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ticker } from '../state/ticker.ts';

/** How often the service is polled while the page is visible; polling is free. */
const EVERY_MS = 2_000;

/** A call may take seconds on a slow network. After this many ms the service counts as not responding. */
const TIMEOUT_MS = 15_000;

/** Cache key of the time at which the last call was sent, in ms since the Unix epoch. */
const SENT_AT_KEY = ['readiness sent at'];

/** The state of the service and its upstream, and how long the call took. Rejects if the service does not respond. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal, client }): Promise<Readiness & { readonly tookMs: number }> => {
    const sentAt = Date.now();
    client.setQueryData(SENT_AT_KEY, sentAt);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // A service that is not ready responds with 503 and the same body.
    const response = await fetch('/readyz', { cache: 'no-store', signal: limit });
    return { ...readiness.parse(await response.json()), tookMs: Date.now() - sentAt };
  },
  refetchInterval: EVERY_MS,
});

const SLOW_AFTER_MS = 3_000;

/** How the service responds to the page's calls. */
export type ServiceResponse =
  | { readonly kind: 'prompt' | 'none' }
  /** Responses are late. `ageMs` is the age of the last response; null if there is none yet. */
  | { readonly kind: 'slow'; readonly ageMs: number | null };

/** Whether the service responds in time, late or not at all, with its last response and when that came. */
export function useServiceResponse() {
  const client = useQueryClient();
  const { data, dataUpdatedAt: at, isError, errorUpdateCount, isFetching } = useQuery(readinessQuery);
  // In whole seconds, so that nothing is rerendered while the texts are unchanged.
  const lateMs = useSyncExternalStore(ticker.subscribe, () => {
    const now = ticker.get();
    const isLate = isFetching && now - (client.getQueryData<number>(SENT_AT_KEY) ?? now) > SLOW_AFTER_MS;
    if (data === undefined) return isLate ? null : undefined;
    return isLate || data.tookMs > SLOW_AFTER_MS ? Math.max(0, Math.floor((now - at) / 1_000)) * 1_000 : undefined;
  });
  // While a query that never had data is fetching again, it forgets that it failed.
  const isSilent = isError || (data === undefined && errorUpdateCount > 0);
  const response: ServiceResponse = isSilent
    ? { kind: 'none' }
    : lateMs === undefined
      ? { kind: 'prompt' }
      : { kind: 'slow', ageMs: lateMs };
  return { response, data, at };
}
