// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { notePaid, onPaid, spentLately } from './burn.ts';

it('counts a single call for a minute and only announces one covered by a burner', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const told = vi.fn<() => void>();
  const end = onPaid(told);
  notePaid(25);
  vi.setSystemTime(1_030_000);
  notePaid(1);
  notePaid(25, true);
  expect(told).toHaveBeenCalledTimes(3);
  expect(spentLately(1_030_000)).toBe(26);
  expect(spentLately(1_059_999)).toBe(26);
  expect(spentLately(1_060_000)).toBe(1);
  expect(spentLately(1_090_000)).toBe(0);
  end();
  notePaid(1);
  expect(told).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});
