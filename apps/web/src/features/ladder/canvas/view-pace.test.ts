import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DrawTurns } from '../../../book-worker/draw-turns.ts';
import { ViewPace } from './view-pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pace whose frames the test draws one by one. */
function pace() {
  const frames: (() => void)[] = [];
  const page = { isHidden: false, told: 0 };
  const turns = new DrawTurns({ next: (callback) => void frames.push(callback), isHidden: () => page.isHidden });
  const view = new ViewPace(turns, () => {
    page.told += 1;
  });
  const frame = () => {
    for (const callback of frames.splice(0)) callback();
  };
  return { view, turns, page, frame };
}

it('[WEB-101] a view is reported in a frame without a block, and the next one 400 ms later', () => {
  const { view, turns, page, frame } = pace();
  view.want();
  vi.advanceTimersByTime(400);
  turns.block();
  frame();
  expect(page.told).toBe(0);
  frame();
  expect(page.told).toBe(1);
  view.want();
  vi.advanceTimersByTime(399);
  frame();
  expect(page.told).toBe(1);
  vi.advanceTimersByTime(1);
  frame();
  expect(page.told).toBe(2);
});

it('[WEB-101] a view that waits for its turn while the page is hidden is reported at once', () => {
  const { view, page } = pace();
  view.want();
  vi.advanceTimersByTime(400);
  page.isHidden = true;
  view.want();
  expect(page.told).toBe(1);
});
