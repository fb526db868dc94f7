// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cancelDrawing, requestDrawing } from './frame-queue.ts';

let drawn: string[];

beforeEach(() => {
  vi.useFakeTimers();
  drawn = [];
});

afterEach(() => {
  vi.useRealTimers();
});

/** What the next animation frame draws. */
function nextFrame(): readonly string[] {
  vi.advanceTimersByTime(16);
  return drawn.splice(0);
}

const drawing = (name: string) => () => void drawn.push(name);

it('draws one ladder with the next frame, and nothing while nothing changes', () => {
  const first = drawing('first');
  requestDrawing(first);
  requestDrawing(first);
  expect([nextFrame(), nextFrame()]).toEqual([['first'], []]);
  requestDrawing(first);
  expect(nextFrame()).toEqual(['first']);
});

it.each([
  [2, [['0'], ['1']]],
  [3, [['0', '1'], ['2']]],
])('shares %i ladders that change together between two frames', (count, frames) => {
  for (const draw of Array.from({ length: count }, (_, at) => drawing(String(at)))) requestDrawing(draw);
  expect([nextFrame(), nextFrame(), nextFrame()]).toEqual([...frames, []]);
});

it('draws first what waited longest, and what is requested while drawing with a later frame', () => {
  const second = drawing('second');
  const first = () => {
    drawn.push('first');
    requestDrawing(first);
  };
  requestDrawing(first);
  requestDrawing(second);
  expect([nextFrame(), nextFrame(), nextFrame()]).toEqual([['first'], ['second'], ['first']]);
  cancelDrawing(first);
});

it('does not draw what was canceled', () => {
  const [closed, open] = [drawing('closed'), drawing('open')];
  requestDrawing(closed);
  cancelDrawing(closed);
  requestDrawing(open);
  expect([nextFrame(), nextFrame()]).toEqual([['open'], []]);
});
