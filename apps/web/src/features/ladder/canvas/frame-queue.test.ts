// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cancelFrame, nextFrameOrLater, nextFrame as requestFrame } from './frame-queue.ts';

let drawn: string[];

beforeEach(() => {
  vi.useFakeTimers();
  drawn = [];
});

afterEach(() => {
  vi.useRealTimers();
});

/** What the next animation frame draws. */
function frameDrawn(): readonly string[] {
  vi.advanceTimersByTime(16);
  return drawn.splice(0);
}

const drawing = (name: string) => () => void drawn.push(name);

it('draws one ladder with the next frame, and nothing while nothing changes', () => {
  const first = drawing('first');
  requestFrame(first);
  requestFrame(first);
  expect([frameDrawn(), frameDrawn()]).toEqual([['first'], []]);
  requestFrame(first);
  expect(frameDrawn()).toEqual(['first']);
});

it.each([
  [2, [['0'], ['1']]],
  [3, [['0', '1'], ['2']]],
])('shares %i ladders that change together between two frames', (count, frames) => {
  for (const draw of Array.from({ length: count }, (_, at) => drawing(String(at)))) requestFrame(draw);
  expect([frameDrawn(), frameDrawn(), frameDrawn()]).toEqual([...frames, []]);
});

it('draws first what waited longest, and what is requested while drawing with a later frame', () => {
  const second = drawing('second');
  const first = () => {
    drawn.push('first');
    requestFrame(first);
  };
  requestFrame(first);
  requestFrame(second);
  expect([frameDrawn(), frameDrawn(), frameDrawn()]).toEqual([['first'], ['second'], ['first']]);
  cancelFrame(first);
});

it('does not draw what was canceled', () => {
  const [closed, open] = [drawing('closed'), drawing('open')];
  requestFrame(closed);
  cancelFrame(closed);
  requestFrame(open);
  expect([frameDrawn(), frameDrawn()]).toEqual([['open'], []]);
});

it('runs what must run once: after the ladders that wait, or without a frame while the page has none', () => {
  requestFrame(drawing('ladder'));
  nextFrameOrLater(drawing('panes'));
  expect([frameDrawn(), frameDrawn()]).toEqual([['ladder'], ['panes']]);
  vi.advanceTimersByTime(1_000);
  const noFrames = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0);
  nextFrameOrLater(drawing('hidden'));
  vi.advanceTimersByTime(1_000);
  noFrames.mockRestore();
  expect(drawn).toEqual(['hidden']);
});
