import { describe, expect, it } from 'vitest';
import { noOrdersText } from './no-orders-text.ts';

const ALL = { view: 'open', wallets: 2, calls: 2, loaded: 2, isBehind: false } as const;

describe('responses without any order', () => {
  it('say that no wallet has an order when all calls have completed', () => {
    expect(noOrdersText(ALL)).toBe('No open orders for these wallets. Past orders are in the history.');
    expect(noOrdersText({ ...ALL, wallets: 1, calls: 1, loaded: 1 })).toMatch(/^No open orders for this wallet\./);
    expect(noOrdersText({ ...ALL, view: 'history' })).toBe('The exchange reports no orders for these wallets.');
  });

  it('claim nothing about a wallet whose call failed or is in flight', () => {
    const some = { ...ALL, loaded: 1 };
    expect(noOrdersText(some)).toMatch(/^No open orders so far: 1 of 2 calls complete\./);
    expect(noOrdersText({ ...some, view: 'history' })).toBe('No orders so far: 1 of 2 calls complete.');
  });

  it('[WEB-108] claim nothing while orders that arrived are not in the table yet', () => {
    expect(noOrdersText({ ...ALL, isBehind: true })).toBeUndefined();
    expect(noOrdersText({ ...ALL, view: 'history', isBehind: true })).toBeUndefined();
  });
});
