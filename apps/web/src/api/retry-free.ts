import { TransportError } from '@l4desk/client';
import type { QueryClient } from '@tanstack/react-query';
import { readinessQuery } from './readiness.ts';

/**
 * Repeats the free calls in view that got no response from the service, whenever the service reports its readiness. A paid call,
 * whose key begins with `info`, is never repeated without the user. Ends with the returned function.
 *
 * Loop "free": one attempt per readiness response, until the service responds to the call, be it with an error.
 */
export function retryFreeCalls(queryClient: QueryClient): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    if (event.query.queryKey[0] !== readinessQuery.queryKey[0]) return;
    void queryClient.refetchQueries({
      type: 'active',
      fetchStatus: 'idle',
      predicate: ({ queryKey, state }) => queryKey[0] !== 'info' && gotNoResponse(state.error),
    });
  });
}

/** The status of a proxy is a response. */
function gotNoResponse(error: unknown): boolean {
  return error instanceof TransportError && error.code !== 'status';
}
