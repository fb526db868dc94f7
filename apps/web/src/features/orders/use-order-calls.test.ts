// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { WALLET } from './test-support/orders.ts';
import { asksFor, creditsOf } from './use-order-calls.ts';

it.each([
  ['open', ['frontendOpenOrders/', 'frontendOpenOrders/xyz']],
  ['history', ['historicalOrders/']],
  ['all', ['frontendOpenOrders/', 'frontendOpenOrders/xyz', 'historicalOrders/']],
] as const)('%s makes the calls %j per wallet, one credit each', (view, calls) => {
  const asks = asksFor([WALLET], view, ['xyz']);
  expect(asks.map(({ id }) => id)).toEqual(calls.map((call) => `${WALLET}/${call}`));
  expect(creditsOf(asks)).toBe(calls.length);
});
