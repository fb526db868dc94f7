import { FrameRenderer, type FromPainter, type OpenPainter, type ToPainter } from './frame-renderer.ts';
import type { Layout } from './lane-hit.ts';
import type { CanvasTheme } from './theme.ts';

/** The page's handle on the ladder's renderer. */
export interface Renderer {
  post(message: ToPainter): void;
  /** The layout of the last frame; undefined before one was drawn. */
  readonly layout: Layout | undefined;
  close(): void;
}

/**
 * Draws on this canvas in a separate worker, so that drawing does not block the page and the page does not block drawing.
 * Browsers without support draw on the main thread. A canvas can be opened only once.
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
    // A frame's buffer is copied, because the page reads it as well; the copy takes microseconds.
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
