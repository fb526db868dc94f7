import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from './random.ts';

function draws(seed: string, count = 200): readonly number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.u32());
}

describe('seeded random numbers', () => {
  it('repeat for the same seed and differ for another', () => {
    expect(draws('tuesday')).toEqual(draws('tuesday'));
    expect(draws('tuesday')).not.toEqual(draws('Tuesday'));
  });

  it('in a fork depend only on its label and affect no other draws', () => {
    const whole = seededRandom('s');
    const withForks = seededRandom('s');
    withForks.fork('a').u32();
    expect(withForks.u32()).toBe(whole.u32());
    expect(whole.fork('a').u32()).toBe(withForks.fork('a').u32());
    expect(whole.fork('a').u32()).not.toBe(whole.fork('b').u32());
  });

  it('stay within their bounds', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 1, max: 2 ** 32 }),
        fc.integer({ min: 1, max: 30 }),
        (seed, below, powers) => {
          const random = seededRandom(seed);
          const value = random.int(below);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThan(below);
          const octave = random.octave(powers);
          expect(octave).toBeGreaterThanOrEqual(1);
          expect(octave).toBeLessThan(2 ** powers);
          const between = random.between(-below, below);
          expect(Math.abs(between)).toBeLessThanOrEqual(below);
        },
      ),
    );
  });

  it('average to the mean of `times`', () => {
    const random = seededRandom('mean');
    let sum = 0;
    for (let i = 0; i < 10_000; i += 1) sum += random.times(2_350);
    expect(sum).toBeGreaterThan(23_200);
    expect(sum).toBeLessThan(23_800);
  });

  it('throw when picking from an empty list', () => {
    expect(() => seededRandom('x').pick([])).toThrow('nothing to pick from');
  });
});
