import { type Readiness, readiness } from '@l4desk/protocol';
import { queryOptions } from '@tanstack/react-query';

/** How often the service is asked while the page is in view; it costs nothing. */
const EVERY_MS = 2_000;

/** The service looks at itself only; a slower response counts as none. */
const TIMEOUT_MS = 3_000;

/** The state of the service and its upstream; rejects when the service does not respond. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal }): Promise<Readiness> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // It responds with 503 and the same body.
    const response = await fetch('/readyz', { cache: 'no-store', signal: limit });
    return readiness.parse(await response.json());
  },
  refetchInterval: EVERY_MS,
});
