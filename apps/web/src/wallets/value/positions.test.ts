import { describe, expect, it } from 'vitest';
import { isNear, positionRows } from './worth.ts';

type Value = Parameters<typeof positionRows>[0];

/** One position of a wallet at the mark 100. */
const rowOf = (liquidationPx: string | undefined, mark: string | undefined = '100') =>
  positionRows({
    worths: [{ entry: { wallet: { address: '0xa1' } }, positions: [{ coin: 'BTC', liquidationPx }] }],
    marks: { of: new Map(mark === '' ? [] : [['BTC', mark]]) },
  } as unknown as Value)[0];

describe('the distance of a position from its liquidation', () => {
  it.each([
    ['90.01', '0.0999', true],
    ['90', '0.1', false],
    ['109.99', '0.0999', true],
    ['100', '0', true],
    ['1', '0.99', false],
  ])('to %s is %s of the mark', (liquidationPx, distance, near) => {
    const row = rowOf(liquidationPx);
    expect(Number(row?.distance)).toBe(Number(distance));
    expect(row?.distance !== undefined && isNear(row.distance)).toBe(near);
  });

  it('is unknown without a liquidation price or a mark', () => {
    expect(rowOf(undefined)?.distance).toBeUndefined();
    expect(rowOf('90', '')?.distance).toBeUndefined();
  });
});
