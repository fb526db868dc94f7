import { describe, expect, it } from 'vitest';
import { ladderFrame } from '../../../test-support/ladder-frame.ts';
import { firstChange, rowTexts } from './row-text.ts';

const NONE = new Map();

describe('the first changed digit', () => {
  it.each([
    ['1.00000', '1.00001', 6],
    ['1.00000', '2.00000', 0],
    ['9.50000', '10.50000', 0],
    ['10.50000', '9.50000', 0],
    ['1,999.5', '2,000.5', 0],
    ['12.5', '12.5', 4],
  ])('from %s to %s is at %i', (before, after, at) => {
    expect(firstChange(before, after)).toBe(at);
  });
});

it('keeps a bid and an ask of one price as two rows', () => {
  const both = ladderFrame({
    asks: [{ px: '100', sz: '1', cumulative: '1', count: 1 }],
    bids: [{ px: '100', sz: '2', cumulative: '2', count: 1 }],
  });
  expect(rowTexts(both, NONE, 0, true).size).toBe(2);
});
