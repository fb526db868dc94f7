import { CanvasWorker } from '../../draw/canvas-worker.ts';
import { GridPainter, type ToGridPainter, type ToGridWorker } from './grid-painter.ts';
import type { GridTheme } from './grid-theme.ts';

/** The page's handle on the painter of a live grid. */
export interface GridPainterHandle {
  post(message: ToGridPainter): void;
  close(): void;
}

/** The one worker for all live grids of the page, while there is a grid. */
let drawing: CanvasWorker<ToGridWorker> | undefined;

/**
 * Adds a canvas to `place` and draws on it in a worker. A browser that cannot do that, or whose worker failed, draws on the
 * page's thread.
 */
export function openGridPainter(place: HTMLElement, theme: GridTheme): GridPainterHandle {
  const canvas = addCanvas(place);
  if (typeof Worker === 'undefined' || !('transferControlToOffscreen' in canvas)) return openOnPage(canvas, theme);
  const sent = new Map<ToGridPainter['kind'], ToGridPainter>();
  let handle = openInWorker(canvas, theme, () => {
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
  canvas.dataset.part = 'rows';
  place.append(canvas);
  return canvas;
}

function openInWorker(canvas: HTMLCanvasElement, theme: GridTheme, onFailure: () => void): GridPainterHandle {
  drawing ??= new CanvasWorker(
    new Worker(new URL('./grid-paint-worker.ts', import.meta.url), { type: 'module', name: 'l4-grids' }),
    () => {
      drawing = undefined;
    },
  );
  const worker = drawing;
  const id = worker.add(onFailure);
  const offscreen = canvas.transferControlToOffscreen();
  worker.post({ kind: 'open', id, canvas: offscreen, theme }, [offscreen]);
  return {
    post: (message) => worker.post({ kind: 'draw', id, message }),
    close: () => {
      canvas.remove();
      worker.remove(id, { kind: 'close', id });
    },
  };
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
