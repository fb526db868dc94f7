import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { linearScale, stepsPath } from './scale.ts';

it('maps the ends of the domain to the ends of the range, and keeps proportions, in either direction', () => {
  const px = fc.integer({ min: -2_000, max: 2_000 });
  fc.assert(
    fc.property(px, fc.integer({ min: 1, max: 2_000 }), px, px, (low, span, start, end) => {
      const scale = linearScale([low, low + span], [start, end]);
      expect(scale(low)).toBe(start);
      expect(scale(low + span)).toBeCloseTo(end, 6);
      expect(scale(low + span / 2)).toBeCloseTo((start + end) / 2, 6);
    }),
  );
  expect(linearScale([3, 3], [10, 20])(3), 'values without a span').toBe(10);
});

it('draws a line of steps from level to level, and leaves gaps open', () => {
  const steps = [
    { from: 0, to: 10, level: 5 },
    { from: 10, to: 20, level: 7 },
    { from: 30, to: 40, level: 7 },
  ];
  expect(stepsPath(steps)).toBe('M0 5H10V7H20M30 7H40');
  expect(stepsPath([])).toBe('');
});
