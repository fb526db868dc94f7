import { type Client, createClient, follow, l2Book, l4BookSnapshot, openOrders, usage } from '@l4desk/client';
import { StreamProbe, until } from '@l4desk/testkit';
import type { VenueWallet } from '@l4desk/testkit/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Served } from './support/served.ts';

let served: Served;
let client: Client;
/** A wallet with resting orders and a history. */
let busy: VenueWallet;
beforeAll(async () => {
  served = await Served.start();
  const { stack, apiKey, serviceKey } = served;
  client = createClient({ baseUrl: stack.url, apiKey, serviceKey });
  await stack.venue.step(30);
  const [busiest] = (await stack.venue.wallets()).toSorted((a, b) => b.openOrders - a.openOrders);
  if (busiest === undefined) throw new Error('the exchange has no wallets');
  busy = busiest;
});
afterAll(() => served[Symbol.asyncDispose]());

describe('from the client to the exchange and back', () => {
  it('[INFO-1] books: the aggregated one equals that of the single orders', async () => {
    const aggregated = await l2Book(client, { coin: 'BTC' });
    const snapshot = await l4BookSnapshot(client, { coin: 'BTC' });
    const best = snapshot.levels.map((orders) => orders[0]?.limitPx);
    expect(aggregated?.levels.map((levels) => levels[0]?.px)).toEqual(best);
  });

  it('[CHAN-30, CHAN-31] books of a quiet coin: a subscription has the state sent that POST /info returns', async () => {
    const ask = (fields: object) => l2Book(client, { coin: 'SOL', ...fields });
    const groupings = [{}, { nSigFigs: 4 }, { nSigFigs: 5, mantissa: 5 }] as const;
    // Nobody follows the coin yet, so these are of the exchange.
    const theirs = await Promise.all(groupings.map(ask));
    const open = () => StreamProbe.open(`${served.streamUrl}?key=${served.apiKey}`);
    await using holder = await open();
    holder.say({ method: 'subscribe', subscription: { type: 'bbo', coin: 'SOL' } });
    await holder.next(({ channel }) => channel === 'bbo');
    for (const [place, fields] of groupings.entries()) {
      const posted = await ask(fields);
      await using probe = await open();
      probe.say({ method: 'subscribe', subscription: { type: 'l2Book', coin: 'SOL', ...fields } });
      expect((await probe.next()).channel).toBe('subscriptionResponse');
      expect((await probe.next()).data).toEqual(posted);
      expect(posted).toEqual({ ...theirs[place], time: expect.any(Number) });
    }
  });
});

it('[AUTH-12, AUTH-15] a page of the dashboard needs only the session for queries, usage and books, and no key', async () => {
  const { stack, apiKey, serviceKey } = served;
  const origin = stack.url;
  const signedIn = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey, serviceKey }),
  });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  // What a browser adds on its own.
  class PageSocket extends WebSocket {
    constructor(url: string) {
      super(url, { headers: { cookie, origin } });
    }
  }
  const page = createClient({
    baseUrl: origin,
    WebSocket: PageSocket,
    fetch: (url, init) => {
      const ownOrigin = init.method === 'POST' ? { origin } : { 'sec-fetch-site': 'same-origin' };
      return fetch(url, { ...init, headers: { ...init.headers, ...ownOrigin, cookie } });
    },
  });
  expect(await openOrders(page, { user: busy.address })).toEqual(await openOrders(client, { user: busy.address }));
  expect((await usage(page)).aggregate).toEqual((await usage(client)).aggregate);
  const follower = follow({ client: page, coins: ['BTC'] });
  try {
    await until('a live book', () => follower.coin('BTC')?.state.kind === 'live');
    expect(await follower.verify('BTC')).toMatchObject({ kind: 'equal' });
  } finally {
    follower.close();
  }
});
