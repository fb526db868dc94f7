import { loadFaces } from '../../draw/worker-faces.ts';
import { GridPainter, type ToGridWorker } from './grid-painter.ts';

/** Entry point of the worker that draws all live grids of a page. */
const painters = new Map<number, GridPainter>();
let hasFaces = false;

self.addEventListener('message', ({ data }: MessageEvent<ToGridWorker>) => {
  if (data.kind === 'open') painters.set(data.id, new GridPainter(data.canvas, data.theme, hasFaces));
  else if (data.kind === 'close') painters.delete(data.id);
  else painters.get(data.id)?.receive(data.message);
});

loadFaces(() => {
  hasFaces = true;
  for (const painter of painters.values()) painter.remeasure();
});
