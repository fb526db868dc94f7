// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { drawLaterWith } from './draw-later.ts';
import { Ticker } from './ticker.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("[WEB-101] the page's clock", () => {
  it('defers a tick to the registered drawer, and reports the time at which it is drawn', () => {
    const ticker = new Ticker();
    const due: (() => void)[] = [];
    const stop = drawLaterWith((draw) => due.push(draw));
    onTestFinished(stop);
    const told: number[] = [];
    const end = ticker.subscribe(() => told.push(ticker.get()));
    vi.advanceTimersByTime(500);
    expect(told).toEqual([1_000]);
    vi.advanceTimersByTime(40);
    due.pop()?.();
    expect(told).toEqual([1_000, 1_540]);
    // The drawer is gone: the clock ticks by itself.
    stop();
    vi.advanceTimersByTime(460);
    expect(told).toEqual([1_000, 1_540, 2_000]);
    end();
  });

  it('hands its ticks to the next drawer when the one before stops', () => {
    const ticker = new Ticker();
    const due: string[] = [];
    const stop = drawLaterWith(() => due.push('first'));
    onTestFinished(drawLaterWith(() => due.push('second')));
    stop();
    const end = ticker.subscribe(() => {});
    vi.advanceTimersByTime(500);
    expect(due).toEqual(['second']);
    end();
  });

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
