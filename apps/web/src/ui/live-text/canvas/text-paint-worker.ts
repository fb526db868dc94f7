import { loadFaces } from '../../draw/worker-faces.ts';
import { type FromTextWorker, TextPainter, type ToTextWorker } from './text-painter.ts';

/** Entry point of the worker that draws all live texts of a page. */
const painters = new Map<number, TextPainter>();
let hasFaces = false;
let isReady = false;

self.addEventListener('message', ({ data }: MessageEvent<ToTextWorker>) => {
  switch (data.kind) {
    case 'open':
      painters.set(data.id, new TextPainter(data.canvas, data.look, hasFaces));
      break;
    case 'look':
      painters.get(data.id)?.setLook(data.look);
      break;
    case 'write':
      for (const [id, text] of data.texts) painters.get(id)?.write(text);
      sayReady();
      break;
    case 'close':
      painters.delete(data.id);
  }
});

loadFaces(() => {
  hasFaces = true;
  for (const painter of painters.values()) painter.remeasure();
});

/** Sent once, when the first texts have been drawn. */
function sayReady(): void {
  if (isReady) return;
  isReady = true;
  const ready: FromTextWorker = 'ready';
  requestAnimationFrame(() => self.postMessage(ready));
}
