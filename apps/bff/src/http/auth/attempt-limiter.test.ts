import { expect, it } from 'vitest';
import { AttemptLimiter } from './attempt-limiter.ts';

it('counts by name, for a minute from the first attempt', () => {
  let now = 0;
  const limiter = new AttemptLimiter(2, () => now);
  expect([limiter.count('a'), limiter.count('a')]).toEqual([undefined, undefined]);
  now = 45_000;
  expect(limiter.count('a')).toBe(15_000);
  expect(limiter.count('b')).toBeUndefined();
  now = 60_000;
  expect(limiter.count('a')).toBeUndefined();
  expect(limiter.count('b')).toBeUndefined();
  expect(limiter.count('b')).toBe(45_000);
});

it('counts 100,000 names at a time, and drops the oldest ones if there are more', () => {
  const limiter = new AttemptLimiter(1, () => 0);
  for (let name = 0; name < 120_000; name += 1) limiter.count(`network ${name}`);
  // An attempt makes room for one more name first.
  expect(limiter.count('network 20001')).toBe(60_000);
  expect(limiter.count('network 119999')).toBe(60_000);
  expect(limiter.count('network 20000')).toBeUndefined();
});
