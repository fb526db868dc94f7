import { type Readiness, readiness } from '@l4desk/protocol';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ticker } from '../state/ticker.ts';

/** How often the service is polled while the page is visible; polling is free. */
const EVERY_MS = 2_000;

/** A call may take seconds on a slow network. After this many ms the service counts as not responding. */
const TIMEOUT_MS = 15_000;

/** Cache key of the time at which the last call was sent. */
const SENT_AT_KEY = ['readiness sent at'];

/** When the last readiness call was sent, in ms since the Unix epoch; undefined before the first. */
export function readinessSentAt(client: QueryClient): number | undefined {
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
