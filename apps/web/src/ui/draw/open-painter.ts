import { CanvasWorker } from './canvas-worker.ts';
import { type DrawTheme, followDrawTheme } from './draw-theme.ts';
import type { PainterClass, ToPainter } from './painter.ts';
import type { SceneKind, Scenes, ToSharedWorker } from './shared-worker.ts';

/** The page's handle on a painter. */
export interface PainterHandle<Scene> {
  post(message: ToPainter<Scene>): void;
  close(): void;
}

/** The one worker for all live grids and live drawings of the page, while there is one. */
let shared: CanvasWorker<ToSharedWorker> | undefined;

/**
 * Adds a canvas to `place` and draws on it in a worker, in the theme of the page. A browser that cannot do that, or whose worker
 * failed, draws on the page's thread, with a `Painter`.
 */
export function openPainter<Kind extends SceneKind>(
  place: HTMLElement,
  kind: Kind,
  Painter: PainterClass<Scenes[Kind]>,
): PainterHandle<Scenes[Kind]> {
  const { theme, stop } = followDrawTheme((next) => handle.post({ kind: 'theme', theme: next }));
  const handle = open(place, kind, theme, Painter);
  return {
    post: (message) => handle.post(message),
    close: () => {
      stop();
      handle.close();
    },
  };
}

function open<Kind extends SceneKind>(
  place: HTMLElement,
  kind: Kind,
  theme: DrawTheme,
  Painter: PainterClass<Scenes[Kind]>,
): PainterHandle<Scenes[Kind]> {
  const canvas = addCanvas(place, kind);
  if (typeof Worker === 'undefined' || !('transferControlToOffscreen' in canvas))
    return openOnPage(canvas, theme, Painter);
  const sent = new Map<ToPainter<Scenes[Kind]>['kind'], ToPainter<Scenes[Kind]>>();
  let handle = openInWorker(canvas, kind, theme, () => {
    canvas.remove();
    handle = openOnPage(addCanvas(place, kind), theme, Painter);
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

function addCanvas(place: HTMLElement, kind: SceneKind): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = 'absolute inset-0 size-full';
  canvas.dataset.part = kind;
  place.append(canvas);
  return canvas;
}

function openInWorker<Kind extends SceneKind>(
  canvas: HTMLCanvasElement,
  sceneKind: Kind,
  theme: DrawTheme,
  onFailure: () => void,
): PainterHandle<Scenes[Kind]> {
  shared ??= new CanvasWorker(
    new Worker(new URL('../shared-paint-worker.ts', import.meta.url), { type: 'module', name: 'l4-drawings' }),
    () => {
      shared = undefined;
    },
  );
  const worker = shared;
  const id = worker.add(onFailure);
  const offscreen = canvas.transferControlToOffscreen();
  worker.post({ kind: 'open', id, sceneKind, canvas: offscreen, theme }, [offscreen]);
  return {
    post: (message) => worker.post({ kind: 'draw', id, message }),
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
