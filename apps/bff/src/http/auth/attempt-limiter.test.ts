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

it('drops names whose minute is over, and the oldest ones if there are too many', () => {
  let now = 0;
  const limiter = new AttemptLimiter(1, () => now);
  for (let name = 0; name < 10; name += 1) limiter.count(`old ${name}`);
  now = 60_000;
  limiter.count('first');
  expect(limiter.size).toBe(1);
  for (let name = 0; name < 120_000; name += 1) limiter.count(`network ${name}`);
  expect(limiter.size).toBe(100_000);
  expect(limiter.count('first')).toBeUndefined();
  expect(limiter.count('network 119999')).toBe(60_000);
});
