// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { noOrdersText, noOutcomesText } from './orders-grid.tsx';

const ALL = { view: 'open', wallets: 2, isComplete: true } as const;

describe('responses without any order', () => {
  it('say that no wallet has an order when all calls have completed', () => {
    expect(noOrdersText(ALL)).toBe('No open orders for these wallets. Past orders are in the history.');
    expect(noOrdersText({ ...ALL, wallets: 1 })).toMatch(/^No open orders for this wallet\./);
    expect(noOrdersText({ ...ALL, view: 'history' })).toBe('The exchange reports no orders for these wallets.');
  });

  it('claim nothing about a wallet whose call failed or is in flight', () => {
    const some = { ...ALL, isComplete: false };
    expect(noOrdersText(some)).toBe('No open orders so far. Past orders are in the history.');
    expect(noOrdersText({ ...some, view: 'history' })).toBe('No orders so far.');
  });
});

describe('statistics without any order of the history', () => {
  it('advise another view only while the history is not in view', () => {
    for (const isFiltered of [false, true])
      expect(noOutcomesText('open', isFiltered)).toMatch(/Choose “History” or “All”/);
    for (const view of ['history', 'all'] as const) {
      expect(noOutcomesText(view, true)).toBe(
        'No order of the history matches the search and the filters. Clear them to see outcomes.',
      );
      expect(noOutcomesText(view, false)).toBe('Outcomes come from the history, and none of its orders are in view.');
    }
  });
});
