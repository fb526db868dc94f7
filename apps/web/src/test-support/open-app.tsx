import type { SessionState } from '@l4desk/protocol';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { IDBFactory } from 'fake-indexeddb';
import { vi } from 'vitest';
import { SessionStore } from '../api/session-store.ts';
import { takeOneTimeToken } from '../app/one-time-token.ts';
import { makeRouter } from '../app/router.tsx';
import { FakeWorker } from '../book-worker/test-support/fake-worker.ts';
import { changeAccount } from '../state/account.ts';
import { usePreferences } from '../state/preferences.ts';
import { FakeService } from './fake-service.ts';
import { must } from './must.ts';
import { render } from './render.ts';

/** A service at which a new browser is signed in, to an account of its own: test files share a process. */
export function signIn(change: Partial<SessionState> = {}): FakeService {
  const service = new FakeService();
  service.signedIn = true;
  const account = { ...service.session.account, id: crypto.randomUUID() };
  service.session = { ...service.session, account, ...change };
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('Worker', FakeWorker);
  usePreferences.setState(usePreferences.getInitialState(), true);
  changeAccount(account.id);
  return service;
}

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
