import { afterEach, beforeEach, vi } from 'vitest';

/** A worker that keeps what it is sent. */
export class DrawingWorker extends EventTarget {
  /** All that were started in this test, the first one first. */
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

  /** It has drawn what it was sent first. */
  ready(): void {
    this.dispatchEvent(new MessageEvent('message', { data: 'ready' }));
  }

  fail(): void {
    this.dispatchEvent(new ErrorEvent('error', { message: 'no such script' }));
  }

  /** Lets canvases be drawn on in such workers, in each test of the file. */
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
