import { expect, it } from 'vitest';
import { AttemptLimiter } from './attempt-limiter.ts';

it('counts by name, for a minute from the first attempt', () => {
  let now = 1;
  const limiter = new AttemptLimiter(2, () => now);
  expect([limiter.count('a'), limiter.count('a')]).toEqual([undefined, undefined]);
  now = 45_001;
  expect(limiter.count('a')).toBe(15_000);
  expect(limiter.count('b')).toBeUndefined();
  now = 60_002;
  expect(limiter.count('a')).toBeUndefined();
  expect(limiter.count('b')).toBeUndefined();
  expect(limiter.count('b')).toBe(44_999);
});
