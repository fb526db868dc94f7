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
