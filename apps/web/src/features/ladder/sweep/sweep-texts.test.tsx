import { describe, expect, it } from 'vitest';
import type { Sweep } from '../../../book-worker/panes/sweep.ts';
import type { SweepChoice } from '../search.ts';
import { amountLabel, amountProblem, restOf, untakenText } from './sweep-result.tsx';

const size: SweepChoice = { side: 'buy', measure: 'sz', amount: '1.5' };

const nothing: Sweep = {
  side: 'sell',
  filledSz: '0',
  filledNtl: '0',
  unfilled: '0',
  vwap: null,
  bestPx: '99.90',
  worstPx: null,
  slippageBps: null,
  orders: 0,
  levels: 0,
  owners: [],
};

describe('the amount of a sweep', () => {
  it.each<[string, SweepChoice['amount'], number | undefined, string | undefined]>([
    ['a multiple of the lot', '1.5', 5, undefined],
    ['one lot', '0.00001', 5, undefined],
    ['more zeros than a lot has', '1.50000000', 1, undefined],
    ['a tenth of a lot', '0.000001', 5, 'Enter at most 5 decimals, as sizes of BTC have.'],
    ['a half of a whole lot', '0.5', 0, 'Enter a whole number: sizes of BTC have no decimals.'],
    ['any size while the lot is unknown', '0.000001', undefined, undefined],
    ['zero', '0.0', 5, 'Enter an amount above zero.'],
    ['zero while the lot is unknown', '0', undefined, 'Enter an amount above zero.'],
  ])('%s', (_, amount, lotDecimals, problem) => {
    expect(amountProblem({ ...size, amount }, 'BTC', lotDecimals)).toBe(problem);
  });

  it('as a notional has no lot, but must be above zero; a price may be any', () => {
    expect(amountProblem({ ...size, measure: 'ntl', amount: '0.0000001' }, 'BTC', 5)).toBeUndefined();
    expect(amountProblem({ ...size, measure: 'ntl', amount: '0' }, 'BTC', 5)).toBe('Enter an amount above zero.');
    expect(amountProblem({ ...size, measure: 'to', amount: '0' }, 'BTC', 5)).toBeUndefined();
  });
});

describe('what a sweep leaves', () => {
  const btc = { coin: 'BTC', szDecimals: 5 };
  const ntl: SweepChoice = { side: 'buy', measure: 'ntl', amount: '15000000.0' };
  it.each<[string, SweepChoice, Sweep['unfilled'], string, boolean]>([
    ['of a size', size, '1200.5', 'The side ends: 1,200.5 BTC not filled.', true],
    ['of a notional, less than one lot', ntl, '0.81306', 'Less than one lot is left: 0.81306 USD.', false],
    [
      'of a notional, one lot at the last price',
      ntl,
      '0.81307',
      'The side ends, or the rest is below one lot: 0.81307 USD not filled.',
      true,
    ],
    ['of a sold notional', { ...ntl, side: 'sell' }, '0.81307', 'The side ends: 0.81307 USD not filled.', true],
  ])('%s', (_, choice, unfilled, text, isShort) => {
    expect(restOf(choice, { unfilled, worstPx: '81307' }, btc)).toEqual({ text, isShort });
  });

  it('of a sold notional may be below one lot if the lot is unknown', () => {
    const { text } = restOf({ ...ntl, side: 'sell' }, { unfilled: '0.5', worstPx: '81307' }, undefined) ?? {};
    expect(text).toBe('The side ends, or the rest is below one lot: 0.5 USD not filled.');
  });

  it('is nothing if the amount is filled, or nothing is taken', () => {
    expect(restOf(size, { unfilled: '0.0', worstPx: '81307' }, btc)).toBeUndefined();
    expect(restOf(size, { unfilled: '1', worstPx: null }, btc)).toBeUndefined();
  });
});

describe('a sweep to a price', () => {
  it('goes up for a buy and down for a sell', () => {
    expect(amountLabel({ side: 'buy', measure: 'to' })).toBe('Up to price');
    expect(amountLabel({ side: 'sell', measure: 'to' })).toBe('Down to price');
    expect(amountLabel({ side: 'sell', measure: 'sz' })).toBe('Size');
  });

  it('that takes nothing says why, as any other does', () => {
    const sell: SweepChoice = { side: 'sell', measure: 'to', amount: '1050' };
    expect(untakenText(sell, nothing)).toBe('No bid at 1,050 or above: the best bid is 99.90.');
    expect(untakenText({ ...sell, side: 'buy', amount: '0' }, nothing)).toBe(
      'No ask at 0 or below: the best ask is 99.90.',
    );
    expect(untakenText(size, { ...nothing, bestPx: null })).toBe('There is no ask.');
    expect(untakenText({ ...sell, measure: 'ntl' }, nothing)).toBe(
      'The amount is below one lot: the best bid is 99.90.',
    );
    expect(untakenText(sell, { ...nothing, orders: 1 })).toBeUndefined();
  });
});
