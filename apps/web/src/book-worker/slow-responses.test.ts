import { expect, it } from 'vitest';
import { DrawTurns } from './draw-turns.ts';
import type { PanesFrame } from './panes.ts';
import { SlowPaneResponses } from './slow-responses.ts';

const FRAME: PanesFrame = {
  generation: 1,
  coin: 'BTC',
  frozen: false,
  clock: 0,
  at: 0,
  sizeDecimals: 5,
  best: { bid: undefined, ask: undefined },
  counts: { bids: 0, asks: 0, levels: 0 },
  height: 1,
  seq: 1,
  epoch: 'e',
  blockTime: 0,
};

/** A frame with a flow response to the request of this serial. */
const frameOf = (height: number, serial: number, frozen = false): PanesFrame => ({
  ...FRAME,
  height,
  frozen,
  flow: { serial, height, windows: [] },
});

it('[WEB-101] draws the first response to a request and those of a held book at once, the others in their turn', () => {
  const pictures: (() => void)[] = [];
  const responses = new SlowPaneResponses(
    new DrawTurns({ next: (callback) => void pictures.push(callback), isHidden: () => false }),
  );
  const drawn: (number | undefined)[] = [];
  responses.subscribe('flow', () => drawn.push(responses.get().flow?.height));
  responses.subscribe('tape', () => drawn.push(-1));
  const picture = () => {
    for (const draw of pictures.splice(0)) draw();
  };
  responses.keep(frameOf(1, 7));
  expect(drawn).toEqual([1]);
  responses.keep(frameOf(2, 7));
  responses.keep(FRAME);
  picture();
  expect(drawn).toEqual([1]);
  expect(responses.get().flow?.height).toBe(2);
  picture();
  expect(drawn).toEqual([1, 2]);
  responses.keep(frameOf(3, 8));
  responses.keep(frameOf(4, 8, true));
  expect(drawn).toEqual([1, 2, 3, 4]);
});

it('[WEB-101] has nothing left to draw after the book changed', () => {
  const responses = new SlowPaneResponses(new DrawTurns({ next: () => {}, isHidden: () => false }));
  const drawn: unknown[] = [];
  responses.subscribe('flow', () => drawn.push(responses.get().flow));
  responses.keep(frameOf(1, 7));
  responses.forget();
  expect(drawn).toEqual([expect.objectContaining({ height: 1 }), undefined]);
});
