import { describe, expect, it } from 'vitest';
import { noOrdersText } from './no-orders-text.ts';

const ALL = { view: 'open', wallets: 2, calls: 2, answered: 2 } as const;

describe('answers without any order', () => {
  it('from every wallet say that none has one', () => {
    expect(noOrdersText(ALL)).toBe('These wallets have no open order. Past orders are in the history.');
    expect(noOrdersText({ ...ALL, wallets: 1, calls: 1, answered: 1 })).toMatch(/^This wallet has no open order\./);
    expect(noOrdersText({ ...ALL, view: 'history' })).toBe(
      'These wallets have never sent an order that the exchange still reports.',
    );
  });

  it('claim nothing of a wallet whose call failed or is still on its way', () => {
    const some = { ...ALL, answered: 1 };
    expect(noOrdersText(some)).toMatch(/^None of the answers so far has an open order: 1 of 2 calls answered\./);
    expect(noOrdersText({ ...some, view: 'history' })).toBe(
      'None of the answers so far has an order: 1 of 2 calls answered.',
    );
  });
});
