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
  it('the first is told at once, those within a second together, and one after a quiet second at once again', () => {
    const { told, bundles } = bundling();
    bundles.add([1]);
    expect(told).toEqual([[1]]);
    vi.advanceTimersByTime(70);
    bundles.add([2, 3]);
    vi.advanceTimersByTime(900);
    bundles.add([4]);
    expect(told).toEqual([[1]]);
    vi.advanceTimersByTime(30);
    expect(told).toEqual([[1], [2, 3, 4]]);
    vi.advanceTimersByTime(1_000);
    bundles.add([5]);
    expect(told).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('are told once a second while they come with every block', () => {
    const { told, bundles } = bundling();
    for (let block = 0; block < 150; block += 1) {
      bundles.add([block]);
      vi.advanceTimersByTime(70);
    }
    expect(told).toHaveLength(11);
    expect(told.flat()).toEqual(Array.from({ length: told.flat().length }, (_, block) => block));
  });

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
