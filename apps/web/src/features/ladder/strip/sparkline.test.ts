import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../book-worker/panes/figures.ts';
import { linePath } from './draw-sparkline.tsx';

describe('line of a figure', () => {
  const sample = (time: number, microprice: Sample['microprice']): Sample => ({
    time,
    microprice,
    spreadTicks: null,
    topShare: null,
    leans: [],
  });
  const path = (samples: readonly Sample[], bounds?: readonly [number, number], minutes = 1) =>
    linePath(samples, ({ microprice }) => microprice, bounds, minutes, 64 * minutes);

  it('ends at the right edge, scaled from the lowest value to the highest or to the bounds', () => {
    expect(path([sample(0, '10'), sample(30_000, '20')])).toBe('M32 17.0M64 1.0');
    expect(path([sample(0, '10'), sample(2_000, '20')], [0, 40])).toBe('M62 13.0L64 9.0');
    expect(path([sample(0, '10')])).toBe('M64 9.0');
    expect(path([])).toBe('');
  });

  it('breaks where values are unknown for 3 s, and leaves out samples without a value', () => {
    expect(path([sample(0, '1'), sample(3_000, '1'), sample(6_001, '1')])).toBe('M58 9.0L61 9.0M64 9.0');
    expect(path([sample(0, '1'), sample(1_000, null), sample(2_000, '1')])).toBe('M62 9.0L64 9.0');
  });
});
