import { afterEach, beforeEach, vi } from 'vitest';

/** A worker that records the messages it receives. */
export class DrawingWorker extends EventTarget {
  /** All workers started in this test, in order. */
  static readonly all: DrawingWorker[] = [];
  readonly received: unknown[] = [];
  terminated = false;

  constructor() {
    super();
    DrawingWorker.all.push(this);
  }

  postMessage(message: unknown): void {
    this.received.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }

  /** Reports that the first drawing is done. */
  ready(): void {
    this.dispatchEvent(new MessageEvent('message', { data: 'ready' }));
  }

  fail(): void {
    this.dispatchEvent(new ErrorEvent('error', { message: 'no such script' }));
  }

  /** Makes canvases draw on such workers in each test of the file. */
  static install(): void {
    beforeEach(() => {
      DrawingWorker.all.length = 0;
      vi.stubGlobal('Worker', DrawingWorker);
      Object.assign(HTMLCanvasElement.prototype, { transferControlToOffscreen: () => ({}) });
    });
    afterEach(() => {
      vi.unstubAllGlobals();
      Reflect.deleteProperty(HTMLCanvasElement.prototype, 'transferControlToOffscreen');
    });
  }
}
