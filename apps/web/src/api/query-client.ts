import { QueryClient } from '@tanstack/react-query';

/**
 * The page's one store of server data. What fails is shown with its reason and a way to try again; nothing repeats,
 * refreshes on focus or on reconnect behind the user's back: calls cost credits. `networkMode`: the service may be on
 * this very machine, whatever the browser thinks of the network.
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
