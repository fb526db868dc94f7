import type { Painter, PainterClass, ToPainter } from './draw/painter.ts';
import type { SceneKind, Scenes, ToSharedWorker } from './draw/shared-worker.ts';
import { loadFaces } from './draw/worker-faces.ts';
import { DrawingPainter } from './live-drawing/drawing-painter.ts';
import { GridPainter } from './live-grid/grid-painter.ts';

/** Entry point of the worker that draws all live grids and live drawings of a page. */
const classes: { readonly [Kind in SceneKind]: PainterClass<Scenes[Kind]> } = {
  rows: GridPainter,
  drawing: DrawingPainter,
};

const painters = new Map<number, Painter<never>>();
let hasFaces = false;

self.addEventListener('message', ({ data }: MessageEvent<ToSharedWorker>) => {
  if (data.kind === 'open') painters.set(data.id, new classes[data.sceneKind](data.canvas, data.theme, hasFaces));
  else if (data.kind === 'close') painters.delete(data.id);
  // The page sends each canvas the scenes of its kind.
  else painters.get(data.id)?.receive(data.message as ToPainter<never>);
});

loadFaces(() => {
  hasFaces = true;
  for (const painter of painters.values()) painter.remeasure();
});
