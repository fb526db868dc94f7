import { Chance } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { Cadence } from './cadence.ts';

/** A series with these gaps, starting at 0. */
function series(gaps: readonly number[]): Cadence {
  const cadence = new Cadence();
  let at = 0;
  cadence.record(at);
  for (const gap of gaps) {
    at += gap;
    cadence.record(at);
  }
  return cadence;
}

const steady = (gap: number, count = 128) => Array.from({ length: count }, () => gap);

describe('the usual gap of a series', () => {
  it('makes a steady series suspect after eight gaps, and never within a second', () => {
    expect(series(steady(70)).usual).toEqual({ usualMs: 70, suspectAfterMs: 1_000 });
    expect(series(steady(500)).usual).toEqual({ usualMs: 500, suspectAfterMs: 4_000 });
  });

  it('is unknown after too few events or too short a time', () => {
    expect(new Cadence().usual).toBeUndefined();
    expect(series(steady(1_000, 15)).usual).toBeUndefined();
    expect(series(steady(1_000, 16)).usual).toBeDefined();
    // Two hundred blocks within half a second, as in a market that is stepped by hand.
    expect(series(steady(2, 200)).usual).toBeUndefined();
  });

  it('is the pause between bursts if events come in bursts', () => {
    const bursts = Array.from({ length: 8 }, () => [...steady(5, 15), 2_000]).flat();
    expect(series(bursts).usual?.usualMs).toBe(2_000);
  });

  it('is not changed by one outage, nor by a second one', () => {
    const cadence = series([...steady(70), 14_000, ...steady(70, 20), 30_000, ...steady(70, 20)]);
    expect(cadence.usual).toEqual({ usualMs: 70, suspectAfterMs: 1_000 });
  });

  it('follows the new pace of a lively coin that turns quiet for good', () => {
    const cadence = series([...steady(70), ...steady(5_000, 60)]);
    expect(cadence.usual?.usualMs).toBe(5_000);
  });

  it('raises no suspicion in a hundred thousand random events', () => {
    const chance = new Chance(20_261_122);
    const cadence = new Cadence();
    let at = 0;
    let raised = 0;
    for (let events = 0; events < 100_000; events += 1) {
      const gap = -Math.log(1 - chance.next()) * 400;
      if (gap > (cadence.usual?.suspectAfterMs ?? Number.POSITIVE_INFINITY)) raised += 1;
      at += gap;
      cadence.record(at);
    }
    expect(raised).toBeLessThanOrEqual(1);
  });

  it('does not count an interruption as a gap', () => {
    const cadence = series(steady(70));
    for (const at of [1e6, 2e6]) {
      cadence.interrupt();
      cadence.record(at);
    }
    expect(cadence.usual?.usualMs).toBe(70);
  });
});
