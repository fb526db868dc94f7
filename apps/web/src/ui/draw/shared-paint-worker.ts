import { DrawingPainter } from '../live-drawing/drawing-painter.ts';
import { GridPainter } from '../live-grid/grid-painter.ts';
import type { Drawn, Painter, PainterClass, ToSharedWorker } from './painter.ts';
import { loadFaces } from './worker-faces.ts';

/** Entry point of the worker that draws all live grids and live drawings of a page. */
const classes: Readonly<Record<Drawn, PainterClass<never>>> = { rows: GridPainter, drawing: DrawingPainter };

const painters = new Map<number, Painter<never>>();
let hasFaces = false;

self.addEventListener('message', ({ data }: MessageEvent<ToSharedWorker>) => {
  if (data.kind === 'open') painters.set(data.id, new classes[data.drawn](data.canvas, data.theme, hasFaces));
  else if (data.kind === 'close') painters.delete(data.id);
  else painters.get(data.id)?.receive(data.message);
});

loadFaces(() => {
  hasFaces = true;
  for (const painter of painters.values()) painter.remeasure();
});
