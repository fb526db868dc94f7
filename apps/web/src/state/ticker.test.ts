// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ticker } from './ticker.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("the page's clock", () => {
  it('reports one time to everybody until the next tick, also when a caller checks whether it stood still', () => {
    const ticker = new Ticker();
    const end = ticker.subscribe(() => {});
    let woken = 0;
    ticker.onWake(() => {
      woken += 1;
    });
    vi.advanceTimersByTime(40);
    ticker.look();
    expect([ticker.get(), woken]).toEqual([1_000, 0]);
    vi.setSystemTime(61_040);
    ticker.look();
    expect([ticker.get(), woken]).toEqual([1_000, 1]);
    vi.advanceTimersByTime(460);
    expect([ticker.get(), woken]).toEqual([61_500, 1]);
    end();
  });
});
