import type { DecimalString } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { drawHeat } from './draw-heat.ts';

const hours = (means: readonly (string | undefined)[]) =>
  means.map((mean, hour) => ({ hour, count: 1, mean: mean as DecimalString | undefined }));
const shares = (means: readonly (string | undefined)[]) =>
  drawHeat(hours(means)).colours.map((colour) => colour && /series-(\d)\) (\d+)%/.exec(colour)?.slice(1).join(' '));

describe('the heat of a coin', () => {
  it('goes over the spread of its hours, not from zero', () => {
    expect(shares(['0.000011', '0.000012', '0.000013', undefined])).toEqual(['1 6', '1 23', '1 40', undefined]);
    expect(shares(['-0.000013', '-0.000011'])).toEqual(['2 40', '2 6']);
  });

  it('goes from zero where both signs occur', () => {
    expect(shares(['-0.00002', '0', '0.00001'])).toEqual(['2 40', undefined, '1 23']);
  });

  it('is one colour where all hours are the same, and none without any', () => {
    expect(shares(['0.00001', '0.00001'])).toEqual(['1 23', '1 23']);
    expect(drawHeat(hours([undefined]))).toMatchObject({ colours: [undefined], ends: undefined });
  });

  it('is written with two digits of what the hours differ by', () => {
    expect(drawHeat(hours(['0.000011', '0.000013'])).decimals).toBe(7);
    expect(drawHeat(hours(['-0.01', '0.02'])).decimals).toBe(5);
    expect(drawHeat(hours(['0.000012500', '0.000012500'])).decimals).toBe(7);
    expect(drawHeat(hours(['0.000013', '0.000011', '0.000012'])).ends).toEqual([1, 0]);
  });
});
