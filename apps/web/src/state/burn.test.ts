// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { noteAutomatic, notePaid, onPaid, spentLately } from './burn.ts';

it('counts a call for a minute, and announces each', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const told = vi.fn<() => void>();
  const end = onPaid(told);
  notePaid(25);
  vi.setSystemTime(1_030_000);
  notePaid(1);
  expect(told).toHaveBeenCalledTimes(2);
  expect(spentLately(1_030_000)).toBe(26);
  expect(spentLately(1_059_999)).toBe(26);
  expect(spentLately(1_060_000)).toBe(1);
  expect(spentLately(1_090_000)).toBe(0);
  end();
  notePaid(1);
  expect(told).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

it('leaves out what automatic calls pay within a minute, and nothing after it', () => {
  vi.useFakeTimers({ now: 2_000_000 });
  noteAutomatic(50);
  notePaid(25);
  notePaid(25);
  notePaid(15);
  expect(spentLately(2_000_000)).toBe(15);
  noteAutomatic(1);
  vi.setSystemTime(2_060_000);
  notePaid(1);
  expect(spentLately(2_060_000)).toBe(1);
  vi.useRealTimers();
});
