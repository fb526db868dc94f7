// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stubCanvas, theme } from '../../../test-support/canvas.ts';
import { openRenderer } from './open-renderer.ts';

/** A worker that records the messages it receives. */
class PaintingWorker extends EventTarget {
  static last: PaintingWorker | undefined;
  readonly received: unknown[] = [];
  terminated = false;

  constructor() {
    super();
    PaintingWorker.last = this;
  }

  postMessage(message: unknown): void {
    this.received.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }
}

function canvasElement(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.transferControlToOffscreen = () => ({}) as OffscreenCanvas;
  return canvas;
}

afterEach(() => vi.unstubAllGlobals());

describe('the renderer of the ladder', () => {
  it('is a worker, which receives the canvas first and then all other messages, and is terminated on close', () => {
    vi.stubGlobal('Worker', PaintingWorker);
    const renderer = openRenderer(canvasElement(), theme, () => {});
    renderer.post({ kind: 'blank' });
    const worker = PaintingWorker.last;
    expect(worker?.received).toEqual([{ kind: 'open', canvas: {}, theme }, { kind: 'blank' }]);
    renderer.close();
    expect(worker?.terminated).toBe(true);
  });

  it('reports a failure of the worker', () => {
    vi.stubGlobal('Worker', PaintingWorker);
    const failures: string[] = [];
    openRenderer(canvasElement(), theme, (message) => failures.push(message));
    PaintingWorker.last?.dispatchEvent(new ErrorEvent('error', { message: 'no such script' }));
    expect(failures).toEqual(['no such script']);
  });

  it('is the page itself in a browser without painting workers', () => {
    const drawn = stubCanvas();
    vi.stubGlobal('Worker', undefined);
    const renderer = openRenderer(canvasElement(), theme, () => {});
    renderer.post({ kind: 'size', width: 300, height: 200, ratio: 1 });
    expect(drawn.rects('surface').at(-1)?.width).toBe(300);
    renderer.close();
  });
});
