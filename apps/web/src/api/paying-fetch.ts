import { INFO_CREDITS, TARIFF } from '@l4desk/protocol';

const PRICES: ReadonlyMap<unknown, number> = new Map(Object.entries(INFO_CREDITS));

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A `fetch` for a client that reports what each successful query cost. Refused and failed queries cost nothing. */
export function payingFetch(onPaid: (credits: number) => void, send: Fetch = (url, init) => fetch(url, init)): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (response.status === 200 && url.endsWith('/info')) onPaid(priceOf(init.body));
    return response;
  };
}

/** A kind that is passed through upstream costs the price of a single call. */
function priceOf(body: unknown): number {
  const query: { readonly type?: unknown } = JSON.parse(String(body));
  return PRICES.get(query.type) ?? TARIFF.infoCall;
}
