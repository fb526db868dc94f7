import { type InfoKind, infoCredits } from '@l4desk/protocol';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A `fetch` for a client that reports what each successful query cost. Refused and failed queries cost nothing. */
export function payingFetch(onPaid: (credits: number) => void, send: Fetch = (url, init) => fetch(url, init)): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (response.status === 200 && url.endsWith('/info')) onPaid(priceOf(init.body));
    return response;
  };
}

function priceOf(body: unknown): number {
  const query: { readonly type: InfoKind } = JSON.parse(String(body));
  return infoCredits(query.type);
}
