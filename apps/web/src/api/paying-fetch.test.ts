import { createClient, maxMarketOrderNtls, spotClearinghouseStates, usage } from '@l4desk/client';
import { expect, it, vi } from 'vitest';
import { payingFetch } from './paying-fetch.ts';

const WALLET = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';

it('[BILL-1, BILL-2, BILL-6] reports the price of a successful query, and nothing for a refused one or for usage', async () => {
  const paid = vi.fn<(credits: number) => void>();
  const client = createClient({ baseUrl: 'http://desk.test', fetch: payingFetch(paid) });
  let status = 200;
  vi.stubGlobal('fetch', async () => Response.json([], { status }));
  await Promise.allSettled([maxMarketOrderNtls(client)]);
  expect(paid.mock.calls).toEqual([[1]]);
  await Promise.allSettled([spotClearinghouseStates(client, { users: [WALLET] })]);
  expect(paid.mock.calls).toEqual([[1], [25]]);
  await Promise.allSettled([usage(client, { duration: 1 })]);
  status = 502;
  await Promise.allSettled([maxMarketOrderNtls(client)]);
  expect(paid).toHaveBeenCalledTimes(2);
});
