// @vitest-environment happy-dom
import { add, compare, multiply, subtract } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entry, rowsOf } from './test-support/orders.ts';
import { FILLS_MAX, feeText, rowFills, type UserFill, walletFills } from './use-fills.ts';

function fill(fields: Partial<UserFill> = {}): UserFill {
  const about = { coin: 'BTC', px: '81307.0', sz: '0.1', side: 'B', time: 1_000, oid: 7, tid: 1 } as const;
  return { ...about, fee: '0.5', feeToken: 'USDC', ...fields };
}

const rowOf = (timestamp: number, oid = 7) => {
  const [row] = rowsOf([entry('filled', { oid, timestamp })]);
  if (row === undefined) throw new Error('no row');
  return row;
};

describe('the fills of an order', () => {
  it('have its size and fees as exact sums, and the price as reported if there is one', () => {
    const { byOid } = walletFills([fill(), fill({ sz: '0.20000000000000001' }), fill({ oid: 8 })]);
    expect(byOid.get(7)).toEqual({
      count: 2,
      sz: '0.30000000000000001',
      value: '24392.10000000000081307',
      avgPx: '81307.0',
      fees: [['USDC', '1']],
    });
    expect(byOid.get(8)?.count).toBe(1);
  });

  it('have an average by size, rounded half up in the second decimal more than the prices have', () => {
    const average = (...fills: readonly (readonly [px: DecimalString, sz: DecimalString])[]) =>
      walletFills(fills.map(([px, sz]) => fill({ px, sz }))).byOid.get(7)?.avgPx;
    expect(average(['10.0', '1'], ['20.0', '2'])).toBe('16.667');
    expect(average(['1', '1'], ['2', '1'])).toBe('1.50');
    const decimal = fc.integer({ min: 1, max: 10 ** 9 }).map((units) => `${units}.25` as DecimalString);
    fc.assert(
      fc.property(fc.array(fc.tuple(decimal, decimal), { minLength: 2, maxLength: 9 }), (fills) => {
        if (new Set(fills.map(([px]) => px)).size < 2) return;
        const sz = fills.reduce<DecimalString>((sum, [, each]) => add(sum, each), '0');
        const notional = fills.reduce<DecimalString>((sum, [px, each]) => add(sum, multiply(px, each)), '0');
        const off = subtract(multiply(average(...fills) ?? '0', sz), notional);
        const most = multiply(sz, '0.00005');
        expect(compare(off.replace('-', '') as DecimalString, most)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('have fees by token, rebates included, and none if one is not reported', () => {
    const of = (...fills: readonly UserFill[]) => {
      const found = walletFills(fills).byOid.get(7);
      return found && feeText(found);
    };
    expect(of(fill(), fill({ fee: '-0.2' }), fill({ fee: '0.003', feeToken: 'PURR' }))).toBe('0.3 USDC, 0.003 PURR');
    expect(of(fill(), fill({ fee: undefined }))).toBeUndefined();
    expect(of(fill({ fee: 'NaN' }))).toBeUndefined();
  });
});

describe('the row of an order', () => {
  it('has its fills, or says why there are none', () => {
    const known = walletFills([fill()]);
    expect(rowFills(rowOf(1), known)).toMatchObject({ kind: 'filled', fills: { sz: '0.1' } });
    expect(rowFills(rowOf(1, 8), known)).toMatchObject({ kind: 'none', why: 'The exchange reports no fill of it' });
    expect(rowFills(rowOf(1), undefined)).toMatchObject({
      kind: 'unknown',
      why: 'The fills of this wallet are not loaded',
    });
  });

  it('has none if the response may lack some of them', () => {
    const full = walletFills(Array.from({ length: FILLS_MAX }, (_, at) => fill({ time: 5_000 - at, tid: at })));
    const oldest = 5_000 - FILLS_MAX + 1;
    expect(rowFills(rowOf(oldest), full)).toMatchObject({
      kind: 'unknown',
      why: expect.stringContaining('last 2,000'),
    });
    expect(rowFills(rowOf(oldest + 1), full).kind).toBe('filled');
  });
});
