import { FrameRenderer, type FromPainter, type OpenPainter, type ToPainter } from './frame-renderer.ts';
import type { Layout } from './lane-hit.ts';
import type { CanvasTheme } from './theme.ts';

/** The page's handle on what draws the ladder. */
export interface Renderer {
  post(message: ToPainter): void;
  /** How the last frame was laid out; undefined before one was drawn. */
  readonly layout: Layout | undefined;
  close(): void;
}

/**
 * Draws on this canvas in a worker of its own, so that no drawing holds up the page and nothing the page does holds up
 * the drawing. A browser that cannot do that draws on the page's thread. A canvas can be opened once.
 */
export function openRenderer(
  canvas: HTMLCanvasElement,
  theme: CanvasTheme,
  onFailure: (message: string) => void,
): Renderer {
  if (typeof Worker === 'undefined' || !('transferControlToOffscreen' in canvas)) return rendererOnPage(canvas, theme);
  const worker = new Worker(new URL('./paint-worker.ts', import.meta.url), { type: 'module', name: 'l4-paint' });
  worker.addEventListener('error', ({ message }) => onFailure(message || 'the painting worker could not be started'));
  const offscreen = canvas.transferControlToOffscreen();
  worker.postMessage({ kind: 'open', canvas: offscreen, theme } satisfies OpenPainter, [offscreen]);
  let layout: Layout | undefined;
  worker.addEventListener('message', ({ data }: MessageEvent<FromPainter>) => {
    layout = data.layout;
  });
  return {
    get layout() {
      return layout;
    },
    // A frame's buffer is copied: the page reads it as well, and the copy costs microseconds.
    post: (message) => worker.postMessage(message),
    close: () => worker.terminate(),
  };
}

function rendererOnPage(canvas: HTMLCanvasElement, theme: CanvasTheme): Renderer {
  let layout: Layout | undefined;
  const renderer = new FrameRenderer(canvas, theme, (message) => {
    layout = message.layout;
  });
  const remeasure = () => renderer.remeasure();
  document.fonts?.addEventListener('loadingdone', remeasure);
  return {
    get layout() {
      return layout;
    },
    post: (message) => renderer.receive(message),
    close: () => {
      document.fonts?.removeEventListener('loadingdone', remeasure);
      renderer.close();
    },
  };
}
