import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { SessionStore } from '../api/session-store.ts';
import { takeOneTimeToken } from '../app/one-time-token.ts';
import { makeRouter } from '../app/router.tsx';
import { must } from './must.ts';
import { render } from './render.ts';

/** The whole app, opened at an address as in a browser. */
export interface OpenApp {
  readonly sessions: SessionStore;
  /** The query cache of the signed-in account. */
  readonly cache: () => QueryClient;
}

export async function openApp(path: string): Promise<OpenApp> {
  history.replaceState(null, '', path);
  const sessions = new SessionStore();
  const router = makeRouter({ sessions, oneTimeToken: takeOneTimeToken(location, history) });
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { sessions, cache: () => must(sessions.known.getState(), 'session').cache.queryClient };
}
