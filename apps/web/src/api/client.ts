import { type Client, createClient } from '@l4desk/client';
import { onAccountChange } from '../state/account.ts';
import { notePaid } from '../state/burn.ts';
import { payingFetch } from './paying-fetch.ts';

/** The client of one account, and what aborts all its calls together. */
function openAccountClient() {
  const end = new AbortController();
  const client = createClient({
    baseUrl: location.origin,
    fetch: payingFetch(notePaid, (url, init) =>
      fetch(url, { ...init, signal: init.signal ? AbortSignal.any([end.signal, init.signal]) : end.signal }),
    ),
  });
  return { client, end };
}

let open = openAccountClient();

// Otherwise the rest of a long refresh would be charged to the next account.
onAccountChange({
  leave: () => {
    open.end.abort();
    open = openAccountClient();
  },
});

/**
 * A client for the service that this page came from, for the signed-in account; the browser sends the session cookie by itself.
 * The credit meter counts what its calls cost. Get it once for calls that belong together: it is aborted when the account
 * leaves.
 */
export function accountClient(): Client {
  return open.client;
}

/**
 * Cache options of every paid response: fresh until the user refreshes it, and kept for an hour after its last use. With
 * any `staleTime` but `static`, a failed refresh marks the kept response as stale, and the next component that reads it loads it.
 */
export const PAID = { staleTime: 'static', gcTime: 3_600_000 } as const;
