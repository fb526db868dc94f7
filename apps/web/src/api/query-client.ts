import { TransportError } from '@l4desk/client';
import { notifyManager, QueryClient } from '@tanstack/react-query';
import { readinessQuery } from './readiness.ts';

/** The shortest time between two renderings of what changed in the query cache, in ms. */
const RENDER_MS = 100;

/** Renders responses that come within a moment together: those of many wallets would each render a page that sums them. */
export function renderResponsesTogether(): void {
  let changes: (() => void)[] = [];
  let renderedAt = Number.NEGATIVE_INFINITY;
  notifyManager.setScheduler((change) => {
    if (changes.push(change) > 1) return;
    setTimeout(
      () => {
        const due = changes;
        changes = [];
        renderedAt = performance.now();
        // Each in a microtask of its own: if one throws, the others still run. React renders after the last one.
        for (const notify of due) queueMicrotask(notify);
      },
      renderedAt + RENDER_MS - performance.now(),
    );
  });
}

/**
 * The page's one store of server data. A failed query shows its reason and a retry button. Nothing retries, or refreshes on
 * focus or reconnect, without the user, because calls cost credits; only free calls are repeated (`retryFreeCalls`).
 * `networkMode`: the service may run on this machine, whatever the browser thinks of the network.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retryOnMount: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

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
