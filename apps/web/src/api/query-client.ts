import { QueryClient } from '@tanstack/react-query';

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
