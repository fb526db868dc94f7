import { type Readiness, readiness } from '@l4desk/protocol';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ticker } from '../state/ticker.ts';

/** How often the service is asked while the page is in view; it costs nothing. */
const EVERY_MS = 2_000;

/** A call may take seconds on a slow network; after this the service counts as not responding. */
const TIMEOUT_MS = 15_000;

/** Of the time at which the last call was sent. */
const SENT_AT_KEY = ['readiness sent at'];

/** When the last call for the readiness was sent, in ms since the Unix epoch; undefined before the first. */
export function readinessSentAt(client: QueryClient): number | undefined {
  return client.getQueryData<number>(SENT_AT_KEY);
}

/** The state of the service and its upstream, with how long the call took; rejects when the service does not respond. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal, client }): Promise<Readiness & { readonly tookMs: number }> => {
    // Sent again where the machine slept meanwhile. Only once: the clock stands also while the page is hidden or held up.
    for (let isLast = false; ; isLast = true) {
      const sentAt = Date.now();
      client.setQueryData(SENT_AT_KEY, sentAt);
      const slept = new AbortController();
      const forget = ticker.onWake(() => {
        if (isLast) return;
        // The next call is sent once this one is over: the time of the sleep is not the service's.
        client.setQueryData(SENT_AT_KEY, Date.now());
        slept.abort();
      });
      try {
        const limit = AbortSignal.any([signal, slept.signal, AbortSignal.timeout(TIMEOUT_MS)]);
        // It responds with 503 and the same body.
        const response = await fetch('/readyz', { cache: 'no-store', signal: limit });
        const body = readiness.parse(await response.json());
        ticker.look();
        if (!slept.signal.aborted) return { ...body, tookMs: Date.now() - sentAt };
      } catch (error) {
        ticker.look();
        // What a call came to that the machine slept through says nothing of the service.
        if (signal.aborted || !slept.signal.aborted) throw error;
      } finally {
        forget();
      }
    }
  },
  refetchInterval: EVERY_MS,
});
