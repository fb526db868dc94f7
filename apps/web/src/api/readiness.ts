import { type Readiness, readiness } from '@l4desk/protocol';
import { queryOptions } from '@tanstack/react-query';

/** How often the service is asked while the page is in view; it costs nothing. */
const EVERY_MS = 2_000;

/** A call may take seconds on a slow network; after this the service counts as not responding. */
const TIMEOUT_MS = 15_000;

/** The state of the service and its upstream, with how long the call took; rejects when the service does not respond. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal }): Promise<Readiness & { readonly tookMs: number }> => {
    const sentAt = Date.now();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // It responds with 503 and the same body.
    const response = await fetch('/readyz', { cache: 'no-store', signal: limit });
    return { ...readiness.parse(await response.json()), tookMs: Date.now() - sentAt };
  },
  refetchInterval: EVERY_MS,
});
