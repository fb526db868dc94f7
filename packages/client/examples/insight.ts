import { bookOf, createClient, l4BookSnapshot, owners, queuePlaces, sweep } from '@l4desk/client';

const { L4DESK_URL = 'http://127.0.0.1:4400', L4DESK_KEY = '' } = process.env;
const client = createClient({ baseUrl: L4DESK_URL, apiKey: L4DESK_KEY });

const snapshot = await l4BookSnapshot(client, { coin: 'BTC' });
const book = bookOf(snapshot); // built once for several calls; a followed coin's book is used as it is

const { mid, bids } = owners(book, '50');
console.log(`mid ${mid}`);
for (const { user, orders, sz, share } of bids.slice(0, 3)) {
  console.log(`${user} bids ${sz} in ${orders} orders, ${share} of all within 50 bps`);
}

const [largest] = bids;
if (typeof largest?.user === 'string') {
  for (const { side, limitPx, sz, ordersAhead, szAhead } of queuePlaces(book, largest.user)) {
    console.log(`${side} ${sz} @ ${limitPx}: ${ordersAhead} orders ahead, ${szAhead}`);
  }
}

const { vwap, worstPx, slippageBps, unfilled } = sweep(book, 'buy', { sz: '2.5' });
console.log(`buying 2.5: ${vwap} on average, ${worstPx} at worst, ${slippageBps} bps, ${unfilled} unfilled`);
