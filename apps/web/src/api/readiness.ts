import { type Readiness, readiness } from '@l4desk/protocol';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ticker } from '../state/ticker.ts';

/** How often the service is polled while the page is visible; polling is free. */
const EVERY_MS = 2_000;

/** A call may take seconds on a slow network. After this many ms the service counts as not responding. */
const TIMEOUT_MS = 15_000;

/** Cache key of the time at which the last call was sent. */
const SENT_AT_KEY = ['readiness sent at'];

/** When the last readiness call was sent, in ms since the Unix epoch; undefined before the first. */
function readinessSentAt(client: QueryClient): number | undefined {
  return client.getQueryData<number>(SENT_AT_KEY);
}

/** The state of the service and its upstream, and how long the call took. Rejects if the service does not respond. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal, client }): Promise<Readiness & { readonly tookMs: number }> => {
    // Sent again if the machine slept meanwhile, but only once: the clock also stands still while the page is hidden or
    // blocked.
    for (let isLast = false; ; isLast = true) {
      const sentAt = Date.now();
      client.setQueryData(SENT_AT_KEY, sentAt);
      const slept = new AbortController();
      const forget = ticker.onWake(() => {
        if (isLast) return;
        // The next call is sent after this one ends; the time asleep does not count against the service.
        client.setQueryData(SENT_AT_KEY, Date.now());
        slept.abort();
      });
      try {
        const limit = AbortSignal.any([signal, slept.signal, AbortSignal.timeout(TIMEOUT_MS)]);
        // A service that is not ready responds with 503 and the same body.
        const response = await fetch('/readyz', { cache: 'no-store', signal: limit });
        const body = readiness.parse(await response.json());
        ticker.look();
        if (!slept.signal.aborted) return { ...body, tookMs: Date.now() - sentAt };
      } catch (error) {
        ticker.look();
        // The result of a call that the machine slept through says nothing about the service.
        if (signal.aborted || !slept.signal.aborted) throw error;
      } finally {
        forget();
      }
    }
  },
  refetchInterval: EVERY_MS,
});

const SLOW_AFTER_MS = 3_000;

/** How the service responds to the page's calls. */
export type ServiceResponse =
  | { readonly kind: 'prompt' | 'none' }
  /** Responses are late. `ageMs` is the age of the last response; null if there is none yet. */
  | { readonly kind: 'slow'; readonly ageMs: number | null };

interface ServiceState {
  readonly response: ServiceResponse;
  readonly data: Readiness | undefined;
  readonly at: number;
}

/**
 * Whether the service responds in time, late or not at all, with its last response and when that came. Time asleep is no delay.
 */
export function useServiceResponse(): ServiceState {
  const client = useQueryClient();
  const { data, dataUpdatedAt: at, isError, errorUpdateCount, isFetching } = useQuery(readinessQuery);
  // In whole seconds, so that nothing is rerendered while the texts are unchanged.
  const lateMs = useSyncExternalStore(ticker.subscribe, () => {
    const now = ticker.get();
    const isLate = isFetching && now - (readinessSentAt(client) ?? now) > SLOW_AFTER_MS;
    if (data === undefined) return isLate ? null : undefined;
    return isLate || data.tookMs > SLOW_AFTER_MS ? Math.max(0, Math.floor((now - at) / 1_000)) * 1_000 : undefined;
  });
  // While a query that never had data is fetching again, it forgets that it failed.
  const isSilent = isError || (data === undefined && errorUpdateCount > 0);
  if (isSilent) return { response: { kind: 'none' }, data, at };
  return { response: lateMs === undefined ? { kind: 'prompt' } : { kind: 'slow', ageMs: lateMs }, data, at };
}
