import { type Client, createClient } from '@l4desk/client';
import { onAccountChange } from '../state/account.ts';
import { notePaid } from '../state/burn.ts';
import { payingFetch } from './paying-fetch.ts';

/** The clients of one account. They share a signal, so that all calls of the account are aborted together. */
class AccountClients {
  readonly #end = new AbortController();
  readonly plain = this.#client((credits) => notePaid(credits));
  readonly rated = this.#client((credits) => notePaid(credits, true));

  end(): void {
    this.#end.abort();
  }

  #client(onPaid: (credits: number) => void): Client {
    const { signal } = this.#end;
    return createClient({
      baseUrl: location.origin,
      fetch: payingFetch(onPaid, (url, init) =>
        fetch(url, { ...init, signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal }),
      ),
    });
  }
}

let clients = new AccountClients();

// Otherwise the rest of a long refresh would be charged to the next account.
onAccountChange({
  leave: () => {
    clients.end();
    clients = new AccountClients();
  },
});

let isRated = false;

/**
 * A client for the service that this page came from, for the signed-in account; the browser sends the session cookie by itself.
 * The credit meter counts what its calls cost. Get it once for calls that belong together: it is aborted when the account
 * leaves.
 */
export function accountClient(): Client {
  return isRated ? clients.rated : clients.plain;
}

/** Starts calls that a burner (`useBurner`) covers: the meter counts the burner's rate, not the calls whose client is got at once. */
export function startRated(start: () => void): void {
  isRated = true;
  try {
    start();
  } finally {
    isRated = false;
  }
}

/** Cache options of every paid response: fresh until the user refreshes it, and kept for an hour after its last use. */
export const PAID = { staleTime: Number.POSITIVE_INFINITY, gcTime: 3_600_000 } as const;
