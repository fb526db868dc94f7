import { INFO_CREDITS, TARIFF } from '@l4desk/protocol';

const PRICES: ReadonlyMap<unknown, number> = new Map(Object.entries(INFO_CREDITS));

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** `fetch` for a client, that reports what each successful query cost; refused and failed ones cost nothing. */
export function payingFetch(onPaid: (credits: number) => void, send: Fetch = (url, init) => fetch(url, init)): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (response.status === 200 && url.endsWith('/info')) onPaid(priceOf(init.body));
    return response;
  };
}

/** A kind that is passed through costs what a single call costs. */
function priceOf(body: unknown): number {
  const query: { readonly type?: unknown } = JSON.parse(String(body));
  return PRICES.get(query.type) ?? TARIFF.infoCall;
}
