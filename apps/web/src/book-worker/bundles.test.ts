import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Bundles } from './live.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

function bundling() {
  const told: (readonly number[])[] = [];
  const bundles = new Bundles<number>(
    (items) => void told.push(items),
    1_000,
    () => Date.now(),
  );
  return { told, bundles };
}

describe('hits that follow each other', () => {
  it('are told by the next hit where the timers of a hidden page come late, and are dropped with the worker', () => {
    const { told, bundles } = bundling();
    bundles.add([1]);
    bundles.add([2]);
    vi.setSystemTime(Date.now() + 1_500);
    bundles.add([3]);
    expect(told).toEqual([[1], [2, 3]]);
    bundles.add([4]);
    bundles.forget();
    vi.advanceTimersByTime(5_000);
    expect(told).toHaveLength(2);
  });
});
