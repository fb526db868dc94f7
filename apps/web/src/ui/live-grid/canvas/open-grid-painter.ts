import { GridPainter, type ToGridPainter, type ToGridWorker } from './grid-painter.ts';
import type { GridTheme } from './grid-theme.ts';

/** The page's handle on what draws a live grid. */
export interface GridPainterHandle {
  post(message: ToGridPainter): void;
  close(): void;
}

/** One worker for all live grids of the page, while there is a grid. */
let drawing: DrawingWorker | undefined;

/**
 * Draws in a worker on a canvas of its own in `place`. A browser that cannot do that draws on the page's thread, and so does
 * one whose worker failed.
 */
export function openGridPainter(place: HTMLElement, theme: GridTheme): GridPainterHandle {
  const canvas = addCanvas(place);
  if (typeof Worker === 'undefined' || !('transferControlToOffscreen' in canvas)) return openOnPage(canvas, theme);
  drawing ??= new DrawingWorker(() => {
    drawing = undefined;
  });
  const sent = new Map<ToGridPainter['kind'], ToGridPainter>();
  let handle = drawing.open(canvas, theme, () => {
    canvas.remove();
    handle = openOnPage(addCanvas(place), theme);
    for (const message of sent.values()) handle.post(message);
  });
  return {
    post: (message) => {
      sent.set(message.kind, message);
      handle.post(message);
    },
    close: () => handle.close(),
  };
}

function addCanvas(place: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = 'absolute inset-0 size-full';
  place.append(canvas);
  return canvas;
}

/** Ends with the last of its grids; a failure ends it for all of them. */
class DrawingWorker {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  /** What the grids do when it fails, by their numbers. */
  readonly #grids = new Map<number, () => void>();
  #opened = 0;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(new URL('./grid-paint-worker.ts', import.meta.url), { type: 'module', name: 'l4-grids' });
    this.#worker.addEventListener('error', () => {
      const failed = [...this.#grids.values()];
      this.#end();
      for (const onFailure of failed) onFailure();
    });
  }

  open(canvas: HTMLCanvasElement, theme: GridTheme, onFailure: () => void): GridPainterHandle {
    this.#opened += 1;
    const id = this.#opened;
    this.#grids.set(id, onFailure);
    const offscreen = canvas.transferControlToOffscreen();
    this.#post({ kind: 'open', id, canvas: offscreen, theme }, [offscreen]);
    return {
      post: (message) => this.#post({ kind: 'draw', id, message }),
      close: () => {
        canvas.remove();
        this.#post({ kind: 'close', id });
        this.#grids.delete(id);
        if (this.#grids.size === 0) this.#end();
      },
    };
  }

  #post(message: ToGridWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #end(): void {
    this.#grids.clear();
    this.#worker.terminate();
    this.#onEnd();
  }
}

function openOnPage(canvas: HTMLCanvasElement, theme: GridTheme): GridPainterHandle {
  const painter = new GridPainter(canvas, theme, true);
  const remeasure = () => painter.remeasure();
  document.fonts?.addEventListener('loadingdone', remeasure);
  return {
    post: (message) => painter.receive(message),
    close: () => {
      document.fonts?.removeEventListener('loadingdone', remeasure);
      canvas.remove();
    },
  };
}
