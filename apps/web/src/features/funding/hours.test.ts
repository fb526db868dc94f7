import type { DecimalString } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { drawHeat } from './hours-panel.tsx';

const hours = (means: readonly (string | undefined)[]) =>
  means.map((mean, hour) => ({ hour, count: 1, mean: mean as DecimalString | undefined }));
const shares = (means: readonly (string | undefined)[]) =>
  drawHeat(hours(means)).colours.map((colour) => colour && /series-(\d)\) (\d+)%/.exec(colour)?.slice(1).join(' '));

describe('the heat of a coin', () => {
  it('spans the spread of its hours and does not start at zero', () => {
    expect(shares(['0.000011', '0.000012', '0.000013', undefined])).toEqual(['1 6', '1 23', '1 40', undefined]);
    expect(shares(['-0.000013', '-0.000011'])).toEqual(['2 40', '2 6']);
  });

  it('starts at zero if both signs occur', () => {
    expect(shares(['-0.00002', '0', '0.00001'])).toEqual(['2 40', undefined, '1 23']);
  });

  it('is one colour if all hours are equal, and none without hours', () => {
    expect(shares(['0.00001', '0.00001'])).toEqual(['1 23', '1 23']);
    expect(drawHeat(hours([undefined]))).toMatchObject({ colours: [undefined] });
  });

  it('is written with two digits of the difference between hours', () => {
    expect(drawHeat(hours(['0.000011', '0.000013'])).decimals).toBe(7);
    expect(drawHeat(hours(['-0.01', '0.02'])).decimals).toBe(5);
    expect(drawHeat(hours(['0.000012500', '0.000012500'])).decimals).toBe(7);
  });
});
