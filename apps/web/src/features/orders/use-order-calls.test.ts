// @vitest-environment happy-dom
import { ServiceError } from '@l4desk/client';
import { WireFormatError } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { entry, rowsOf, WALLET } from './test-support/orders.ts';
import { type AskedOrders, asksFor, creditsOf, emptyOf } from './use-order-calls.ts';

it.each([
  ['open', ['frontendOpenOrders/', 'frontendOpenOrders/xyz']],
  ['history', ['historicalOrders/']],
  ['all', ['frontendOpenOrders/', 'frontendOpenOrders/xyz', 'historicalOrders/']],
] as const)('%s makes the calls %j per wallet, one credit each', (view, calls) => {
  const asks = asksFor([WALLET], view, ['xyz']);
  expect(asks.map(({ id }) => id)).toEqual(calls.map((call) => `${WALLET}/${call}`));
  expect(creditsOf(asks)).toBe(calls.length);
});

describe('[WEB-185] a wallet reports nothing', () => {
  const refused = (code: 'not_served_upstream' | 'upstream_busy') =>
    new ServiceError(501, { error: code, message: 'no', code: 501, msg: 'no' });
  const none: Partial<AskedOrders> = { state: { kind: 'ok' }, rows: [] };
  const some: Partial<AskedOrders> = { state: { kind: 'ok' }, rows: rowsOf([entry('open')]) };
  const unreadable: Partial<AskedOrders> = { ...none, unreadable: [new WireFormatError('openOrders[0]', 'no')] };
  const notServed: Partial<AskedOrders> = { state: { kind: 'failed', error: refused('not_served_upstream') } };
  const failed: Partial<AskedOrders> = { state: { kind: 'failed', error: refused('upstream_busy') } };
  const pending: Partial<AskedOrders> = { state: { kind: 'asking' } };

  it.each([
    ['every response is empty', [none, none, none], true],
    ['one of its responses has an order', [none, none, some], false],
    ['one of its calls failed', [none, none, failed], false],
    ['its older response is empty and the repeated call failed', [none, none, { ...none, ...failed }], false],
    ['one of its calls has no response yet', [none, pending, none], false],
    ['one of its responses has only rows that cannot be read', [none, none, unreadable], false],
    ['every response is empty, and the upstream does not serve the other kind', [none, none, notServed], true],
    ['the upstream serves none of the kinds', [notServed, notServed, notServed], false],
  ])('when %s: %#', (_, results, expected) => {
    const asked = asksFor([WALLET], 'all', ['xyz']).map((ask, at) => ({
      ask,
      state: { kind: 'never' } as const,
      rows: undefined,
      unreadable: [],
      at: undefined,
      refreshing: false,
      ...results[at],
    }));
    expect(emptyOf(asked)).toEqual(expected ? [WALLET] : []);
  });
});
