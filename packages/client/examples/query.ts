import { createClient, openOrders } from '@l4desk/client';

const { L4DESK_URL = 'http://127.0.0.1:4400', L4DESK_KEY = '' } = process.env;
const client = createClient({ baseUrl: L4DESK_URL, apiKey: L4DESK_KEY });

const user = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
const orders = await openOrders(client, { user }, { signal: AbortSignal.timeout(10_000) });
for (const { coin, side, sz, limitPx } of orders) console.log(coin, side, sz, limitPx);
