import { expect, it } from 'vitest';
import { openApp, signIn } from '../../test-support/open-app.tsx';

it('a link may name coins in another letter case, or as another venue does', async () => {
  const queried: unknown[] = [];
  signIn().info = (request) => {
    queried.push(request.coin);
    return [];
  };
  await openApp('/funding?coin=btc,BTC,ETH-PERP,STRAX');
  const legend = () => [...document.querySelectorAll('tr[data-coin]')].map((row) => row.getAttribute('data-coin'));
  await expect.poll(legend).toEqual(['BTC', 'ETH', 'STRAX']);
  expect(new Set(queried)).toEqual(new Set(['BTC', 'ETH', 'STRAX']));
});

it('without the list of coins, a link queries the coins that it names, once', async () => {
  const queried: unknown[] = [];
  const service = signIn();
  service.coins = undefined;
  service.info = (request) => {
    if (request.type === 'fundingHistory') queried.push(request.coin);
    return new Promise(() => {});
  };
  await openApp('/funding?coin=BTC');
  const failures = () => service.calls.filter(({ path }) => path === '/session/coins').length;
  await expect.poll(() => queried).toEqual(['BTC']);
  const before = failures();
  await expect.poll(failures).toBeGreaterThan(before + 1);
  expect(queried).toEqual(['BTC']);
});
