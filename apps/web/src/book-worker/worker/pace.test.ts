import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pace } from './pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('changes are reported at most once in the time, also after some had to be known at once', () => {
  const reports: number[] = [];
  const deps = { now: () => Date.now(), later: (task: () => void, ms: number) => void setTimeout(task, ms) };
  const pace = new Pace(deps, 200, () => reports.push(Date.now() - start));
  const start = Date.now();
  for (let ms = 0; ms < 1_000; ms += 10) {
    if (ms === 50 || ms === 120) pace.now();
    pace.want();
    vi.advanceTimersByTime(10);
  }
  expect(reports).toEqual([0, 50, 120, 320, 520, 720, 920]);
});
