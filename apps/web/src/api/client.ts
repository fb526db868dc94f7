import { type Client, createClient } from '@l4desk/client';
import { onAccountChange } from '../state/account.ts';
import { notePaid } from '../state/burn.ts';
import { payingFetch } from './paying-fetch.ts';

/** The clients of one account: they share a signal, so that the account's calls end with it. */
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

// What is left of a long refresh would otherwise be charged to the next account.
onAccountChange({
  leave: () => {
    clients.end();
    clients = new AccountClients();
  },
});

/**
 * The service this page came from, for the account that is signed in; the session cookie travels by itself. What its calls
 * cost is on the credit meter. Take it once for calls that belong together: it ends with the account.
 */
export function accountClient(): Client {
  return clients.plain;
}

/** The same for calls that a burner stands for (`useBurner`): the meter counts its rate, not the calls. */
export function ratedAccountClient(): Client {
  return clients.rated;
}

/** How every paid response is kept: fresh until somebody asks for a newer one, and for an hour after nobody shows it. */
export const PAID = { staleTime: Number.POSITIVE_INFINITY, gcTime: 3_600_000 } as const;
