import { type Readiness, readiness } from '@l4desk/protocol';
import { queryOptions } from '@tanstack/react-query';

/** How often the service is asked while the page is in sight; it costs nothing. */
const EVERY_MS = 5_000;

/** The service looks at itself only; an answer that takes longer is none. */
const TIMEOUT_MS = 3_000;

/** How the service and its upstream are; fails when the service does not answer. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal }): Promise<Readiness> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // It answers 503 with the same body.
    const answer = await fetch('/readyz', { cache: 'no-store', signal: limit });
    return readiness.parse(await answer.json());
  },
  refetchInterval: EVERY_MS,
});
