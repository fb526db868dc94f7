import { type Client, createClient } from '@l4desk/client';
import { onAccountChange } from '../state/account.ts';
import { notePaid } from '../state/burn.ts';
import { payingFetch } from './paying-fetch.ts';

/** To start a hundred calls at once keeps the page from responding for 0.1 s, and most of them would wait for a connection. */
const CALLS_AT_ONCE = 12;

/** A `fetch` that starts a call when fewer than `CALLS_AT_ONCE` wait for their response. */
function fewAtOnce(send: typeof fetch): typeof fetch {
  const waiting: (() => void)[] = [];
  let started = 0;
  return async (...call) => {
    if (started === CALLS_AT_ONCE) await new Promise<void>((start) => waiting.push(start));
    else started += 1;
    try {
      return await send(...call);
    } finally {
      const next = waiting.shift();
      if (next === undefined) started -= 1;
      else next();
    }
  };
}

/** The client of one account, and what aborts all its calls together. */
function openAccountClient() {
  const end = new AbortController();
  const send = fewAtOnce((url, init) => fetch(url, init));
  const client = createClient({
    baseUrl: location.origin,
    fetch: payingFetch(notePaid, (url, init) =>
      send(url, { ...init, signal: init.signal ? AbortSignal.any([end.signal, init.signal]) : end.signal }),
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
