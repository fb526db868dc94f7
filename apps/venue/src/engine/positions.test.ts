import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Account } from './order.ts';
import { Positions } from './positions.ts';

const ann = new Account({ address: '0xaa', buyingPower: 0 });
const bob = new Account({ address: '0xbb', buyingPower: 0 });

function after(...trades: readonly (readonly [lots: number, px: number])[]) {
  const positions = new Positions();
  for (const [lots, px] of trades) positions.add(ann, lots, px);
  return positions.of(ann);
}

describe('a position', () => {
  it('is entered at the average of its trades', () => {
    expect(after([10, 100], [10, 200])).toEqual({ lots: 20, entry: 3_000, cash: -3_000 });
    expect(after([-10, 100])).toEqual({ lots: -10, entry: 1_000, cash: 1_000 });
  });

  it('keeps its average when reduced, starts anew when reversed, and keeps its cash when flat', () => {
    expect(after([20, 100], [-5, 300])).toEqual({ lots: 15, entry: 1_500, cash: -500 });
    expect(after([20, 100], [-30, 300])).toEqual({ lots: -10, entry: 3_000, cash: 7_000 });
    expect(after([20, 100], [-20, 101])).toEqual({ lots: 0, entry: 0, cash: 20 });
  });

  it('takes from one account what it gives to the other', () => {
    const trade = fc.tuple(fc.integer({ min: -1_000, max: 1_000 }), fc.integer({ min: 1, max: 1_000_000 }));
    fc.assert(
      fc.property(fc.array(trade), (trades) => {
        const positions = new Positions();
        for (const [lots, px] of trades) {
          positions.add(ann, lots, px);
          positions.add(bob, -lots, px);
        }
        const [a, b] = [positions.of(ann), positions.of(bob)];
        expect([a.lots + b.lots, a.cash + b.cash]).toEqual([0, 0]);
        expect(positions.openInterest).toBe(Math.abs(a.lots));
        expect(a.entry).toBeGreaterThanOrEqual(0);
        expect(a.lots !== 0 || a.entry === 0).toBe(true);
      }),
    );
  });
});
