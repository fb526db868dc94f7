import { Chance } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { ServiceClock } from './feed-timing.ts';

it('the clock offset is found within half a round trip, however long single messages take', () => {
  const chance = new Chance(5);
  const clock = new ServiceClock();
  expect(clock.offset).toBeUndefined();
  for (let at = 0; at < 200_000; at += 1_000) {
    const there = 4 + chance.next() * 40;
    const back = 4 + chance.next() * 40;
    // The service is 1,250 ms ahead.
    clock.record(1e12 + at + 1_250, 1e12 + at + there, there + back);
  }
  const { ms, withinMs } = clock.offset ?? { ms: 0, withinMs: 0 };
  expect(Math.abs(ms - 1_250)).toBeLessThanOrEqual(withinMs + 4);
  expect(withinMs).toBeLessThan(12);
});

it('a clock that was set is followed within a minute, and at once over a new connection', () => {
  const clock = new ServiceClock();
  for (let at = 0; at < 60; at += 1) clock.record(at, at, 2);
  expect(clock.offset).toEqual({ ms: 1, withinMs: 1 });
  for (let at = 0; at < 60; at += 1) clock.record(at, at + 5_000, 2);
  expect(clock.offset?.ms).toBe(-4_999);
  clock.forget();
  expect(clock.offset).toBeUndefined();
  clock.record(100, 50, undefined);
  expect(clock.offset).toBeUndefined();
});
