// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type DrawnTexts, stubCanvas, theme } from '../../../test-support/canvas.ts';
import { packedFrame, rowChoice } from '../../../test-support/ladder-frame.ts';
import { FrameRenderer, type SceneChoice } from './frame-renderer.ts';

const ROW = 20;
const SLOTS = 20;

const choice: SceneChoice = {
  choice: rowChoice,
  rowHeight: ROW,
  hover: undefined,
  active: undefined,
  selected: undefined,
  crosshair: undefined,
  lane: undefined,
  band: undefined,
  motion: false,
};

let drawn: DrawnTexts;
let canvas: HTMLCanvasElement;
let renderer: FrameRenderer;

beforeEach(() => {
  drawn = stubCanvas();
  canvas = document.createElement('canvas');
  renderer = new FrameRenderer(canvas, theme, () => {});
  renderer.receive({ kind: 'size', width: 1_200, height: 500, ratio: 2 });
  return () => renderer.close();
});

/** Drops and restores the browser's context; returns the context settings from before. */
function restoreContext() {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const { textBaseline, fontKerning, textRendering } = context;
  Object.assign(context, {
    font: '10px sans-serif',
    textBaseline: 'top',
    fontKerning: 'auto',
    textRendering: 'auto',
  });
  const transform = vi.spyOn(context, 'setTransform');
  canvas.dispatchEvent(new Event('contextrestored'));
  return { context, transform, before: { textBaseline, fontKerning, textRendering } };
}

describe('the canvas of a ladder', () => {
  it('is drawn completely, as before, after the browser dropped and restored its context', () => {
    const buffer = packedFrame({
      slots: SLOTS,
      asks: [{ px: '101', sz: '4', cumulative: '4', count: 2 }],
      bids: [{ px: '100', sz: '2', cumulative: '2', count: 1 }],
    });
    drawn.take();
    renderer.receive({ kind: 'paint', buffer, choice });
    const whole = drawn.take();
    expect(whole.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['101', '100', 'spread 1 · 0.12 bps · mid 100.5']),
    );
    const bars = drawn.rects('ask').length;
    const { context, transform, before } = restoreContext();
    expect(drawn.take()).toEqual(whole);
    expect(drawn.rects('ask')).toHaveLength(2 * bars);
    expect(context).toMatchObject(before);
    expect(before.textBaseline).toBe('alphabetic');
    expect(transform).toHaveBeenLastCalledWith(2, 0, 0, 2, 0, 0);
  });

  it('is filled with the surface after a restore without a frame', () => {
    const grounds = drawn.rects('surface').length;
    restoreContext();
    expect(drawn.rects('surface').slice(grounds)).toEqual([{ x: 0, y: 0, width: 1_200 }]);
    expect(drawn.take()).toEqual([]);
  });

  it('is not drawn again after the renderer is closed', () => {
    renderer.close();
    const grounds = drawn.rects('surface').length;
    restoreContext();
    expect(drawn.rects('surface')).toHaveLength(grounds);
  });
});
