// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { notePaid, onPaid, spentLately, spentPerMinute } from './burn.ts';

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

it('adds followed books to calls, and counts calls of an automatic refresh once, whenever they are made', () => {
  const burners = [
    { text: 'BTC book', creditsPerMinute: 1, isCalls: false },
    { text: 'Balances, every 5 min', creditsPerMinute: 20, isCalls: true },
  ];
  expect(spentPerMinute([], 7)).toBe(7);
  expect(spentPerMinute(burners, 0)).toBe(21);
  expect(spentPerMinute(burners, 100)).toBe(101);
});
