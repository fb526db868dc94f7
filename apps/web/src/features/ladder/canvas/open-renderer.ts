import { FrameRenderer, type OpenPainter, type ToPainter } from './frame-renderer.ts';
import type { CanvasTheme } from './theme.ts';

/** The page's handle on what draws the ladder. */
export interface Renderer {
  post(message: ToPainter): void;
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
  return {
    // A frame's buffer is copied: the page reads it as well, and the copy costs microseconds.
    post: (message) => worker.postMessage(message),
    close: () => worker.terminate(),
  };
}

function rendererOnPage(canvas: HTMLCanvasElement, theme: CanvasTheme): Renderer {
  const renderer = new FrameRenderer(canvas, theme);
  const remeasure = () => renderer.remeasure();
  document.fonts?.addEventListener('loadingdone', remeasure);
  return {
    post: (message) => renderer.receive(message),
    close: () => {
      document.fonts?.removeEventListener('loadingdone', remeasure);
      renderer.close();
    },
  };
}
