import { CanvasWorker } from './canvas-worker.ts';
import type { DrawTheme } from './draw-theme.ts';
import type { Drawn, PainterClass, ToPainter, ToSharedWorker } from './painter.ts';

/** The page's handle on a painter. */
export interface PainterHandle<Scene> {
  post(message: ToPainter<Scene>): void;
  close(): void;
}

/** The one worker for all live grids and live drawings of the page, while there is one. */
let drawing: CanvasWorker<ToSharedWorker> | undefined;

/**
 * Adds a canvas to `place` and draws on it in a worker. A browser that cannot do that, or whose worker failed, draws on the
 * page's thread, with `painter`.
 */
export function openPainter<Scene>(
  place: HTMLElement,
  drawn: Drawn,
  theme: DrawTheme,
  painter: PainterClass<Scene>,
): PainterHandle<Scene> {
  const canvas = addCanvas(place, drawn);
  if (typeof Worker === 'undefined' || !('transferControlToOffscreen' in canvas))
    return openOnPage(canvas, theme, painter);
  const sent = new Map<ToPainter<Scene>['kind'], ToPainter<Scene>>();
  let handle = openInWorker<Scene>(canvas, drawn, theme, () => {
    canvas.remove();
    handle = openOnPage(addCanvas(place, drawn), theme, painter);
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

function addCanvas(place: HTMLElement, drawn: Drawn): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = 'absolute inset-0 size-full';
  canvas.dataset.part = drawn;
  place.append(canvas);
  return canvas;
}

function openInWorker<Scene>(
  canvas: HTMLCanvasElement,
  drawn: Drawn,
  theme: DrawTheme,
  onFailure: () => void,
): PainterHandle<Scene> {
  drawing ??= new CanvasWorker(
    new Worker(new URL('./shared-paint-worker.ts', import.meta.url), { type: 'module', name: 'l4-drawings' }),
    () => {
      drawing = undefined;
    },
  );
  const worker = drawing;
  const id = worker.add(onFailure);
  const offscreen = canvas.transferControlToOffscreen();
  worker.post({ kind: 'open', id, drawn, canvas: offscreen, theme }, [offscreen]);
  return {
    // The worker's painter of `drawn` takes these scenes.
    post: (message) => worker.post({ kind: 'draw', id, message: message as ToPainter<never> }),
    close: () => {
      canvas.remove();
      worker.remove(id, { kind: 'close', id });
    },
  };
}

function openOnPage<Scene>(
  canvas: HTMLCanvasElement,
  theme: DrawTheme,
  Painter: PainterClass<Scene>,
): PainterHandle<Scene> {
  const painter = new Painter(canvas, theme, true);
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
