import { type OpenPainter, PaintDesk, type ToPainter } from './paint-desk.ts';
import type { CanvasTheme } from './theme.ts';

/** Where the ladder is drawn. */
export interface Surface {
  post(message: ToPainter): void;
  close(): void;
}

/**
 * Draws on this canvas in a worker of its own, so that no drawing holds up the page and nothing the page does holds up
 * the drawing. A browser that cannot do that draws on the page's thread. A canvas can be opened once.
 */
export function openSurface(
  canvas: HTMLCanvasElement,
  theme: CanvasTheme,
  onFailure: (message: string) => void,
): Surface {
  if (typeof Worker === 'undefined' || !('transferControlToOffscreen' in canvas)) return surfaceOnPage(canvas, theme);
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

function surfaceOnPage(canvas: HTMLCanvasElement, theme: CanvasTheme): Surface {
  const desk = new PaintDesk(canvas, theme);
  const remeasure = () => desk.remeasure();
  document.fonts?.addEventListener('loadingdone', remeasure);
  return {
    post: (message) => desk.receive(message),
    close: () => {
      document.fonts?.removeEventListener('loadingdone', remeasure);
      desk.close();
    },
  };
}
