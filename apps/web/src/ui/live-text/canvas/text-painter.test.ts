// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type TextLook, TextPainter } from './text-painter.ts';

const look: TextLook = { color: 'red', weight: '400', size: 12, line: 16, width: 120, height: 32, ratio: 2 };

/** Stands in for a worker's canvas. */
class Canvas extends EventTarget {
  width = 0;
  height = 0;
  readonly calls: unknown[] = [];
  readonly context = {
    fillStyle: '',
    font: '',
    setTransform: (...to: readonly number[]) => this.calls.push(['transform', ...to]),
    measureText: () => ({ fontBoundingBoxAscent: 12.24, fontBoundingBoxDescent: 3.6 }),
    clearRect: (...room: readonly number[]) => this.calls.push(['clear', ...room]),
    fillText: (...drawn: readonly unknown[]) => this.calls.push(['text', ...drawn]),
  };
  getContext(): unknown {
    return this.context;
  }
  take(): readonly unknown[] {
    return this.calls.splice(0);
  }
}

let canvas: Canvas;
const open = (hasFaces: boolean) => new TextPainter(canvas as unknown as OffscreenCanvas, look, hasFaces);

beforeEach(() => {
  canvas = new Canvas();
});

describe('a live text on its canvas', () => {
  it('[WEB-127] is placed where the page would lay it out, in device pixels', () => {
    const painter = open(true);
    expect([canvas.width, canvas.height, canvas.context.fillStyle]).toEqual([120, 32, 'red']);
    painter.write('985');
    // Of 16 px, the letters take 12 above the baseline and 4 below.
    expect(canvas.take()).toEqual([
      ['transform', 2, 0, 0, 2, 0, 0],
      ['clear', 0, 0, 60, 16],
      ['text', '985', 0, 12],
    ]);
    painter.setLook({ ...look, line: 21, color: 'blue' });
    expect(canvas.take()).toContainEqual(['text', '985', 0, 14]);
    expect(canvas.context.fillStyle).toBe('blue');
  });

  it('[WEB-127] uses no font before it is loaded', () => {
    const painter = open(false);
    expect(canvas.context.font).toBe('400 12px ui-monospace, monospace');
    painter.write('985');
    canvas.take();
    painter.remeasure();
    expect(canvas.context.font).toBe('400 12px "JetBrains Mono Variable", ui-monospace, monospace');
    expect(canvas.take()).toContainEqual(['text', '985', 0, 12]);
  });

  it('[WEB-127] is redrawn after the browser drops and restores the context', () => {
    open(true).write('985');
    canvas.take();
    Object.assign(canvas.context, { font: '10px sans-serif', fillStyle: 'black' });
    canvas.dispatchEvent(new Event('contextrestored'));
    expect([canvas.context.font, canvas.context.fillStyle]).toEqual([
      '400 12px "JetBrains Mono Variable", ui-monospace, monospace',
      'red',
    ]);
    expect(canvas.take()).toEqual([
      ['transform', 2, 0, 0, 2, 0, 0],
      ['clear', 0, 0, 60, 16],
      ['text', '985', 0, 12],
    ]);
  });

  it('[WEB-127] cannot be opened without a canvas context', () => {
    vi.spyOn(canvas, 'getContext').mockReturnValue(null);
    expect(() => open(true)).toThrow('draws no canvas');
  });
});
