import { act, createRef } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { drawTheme as theme } from '../../test-support/draw-theme.ts';
import { DrawingWorker } from '../../test-support/drawing-worker.ts';
import { only, render } from '../../test-support/render.ts';
import { openPainter } from '../draw/open-painter.ts';
import { GridPainter } from '../live-grid/grid-painter.ts';
import { type Drawing, DrawingPainter } from './drawing-painter.ts';
import { LiveDrawing, type LiveDrawingHandle } from './live-drawing.tsx';

const drawing: Drawing = {
  width: 10,
  height: 5,
  shapes: [
    { kind: 'area', tone: 'bid-mark', opacity: 0.5, path: 'M0 0h1z' },
    { kind: 'line', tone: 'accent', path: 'M0 1h9' },
  ],
};

DrawingWorker.install();

/** Records what is painted: the path data, its stretch and its colour. */
function record() {
  const painted: unknown[] = [];
  class Path {
    parts: unknown[];
    constructor(data?: string) {
      this.parts = data === undefined ? [] : [data];
    }
    addPath(path: Path, [x, y]: readonly [number, number]) {
      this.parts.push(...path.parts, x, y);
    }
  }
  vi.stubGlobal('Path2D', Path);
  vi.stubGlobal('DOMMatrix', function stretch([x, , , y]: readonly number[]) {
    return [x, y];
  });
  const context = {
    globalAlpha: 1,
    fillStyle: '',
    strokeStyle: '',
    lineWidth: 0,
    clearRect: (...area: number[]) => painted.push(['clear', ...area]),
    fill(path: Path) {
      painted.push(['fill', ...path.parts, this.fillStyle, this.globalAlpha]);
    },
    stroke(path: Path) {
      painted.push(['stroke', ...path.parts, this.strokeStyle, this.globalAlpha, this.lineWidth]);
    },
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  return painted;
}

it('[WEB-170] a drawing stretches its shapes to the canvas, not their lines, and paints again in another theme', () => {
  const painted = record();
  const canvas = document.createElement('canvas');
  const painter = new DrawingPainter(canvas, theme);
  painter.receive({ kind: 'paint', scene: drawing });
  expect(painted).toEqual([]);
  const size = { width: 50, height: 20, deviceWidth: 100, deviceHeight: 40, ratio: 2 };
  painter.receive({ kind: 'size', size });
  expect([canvas.width, canvas.height]).toEqual([100, 40]);
  expect(painted.splice(0)).toEqual([
    ['clear', 0, 0, 100, 40],
    ['fill', 'M0 0h1z', 10, 8, 'bid-mark', 0.5],
    ['stroke', 'M0 1h9', 10, 8, 'accent', 1, 2],
  ]);
  painter.receive({ kind: 'theme', theme: { ...theme, accent: 'other' } });
  expect(painted.at(-1)).toEqual(['stroke', 'M0 1h9', 10, 8, 'other', 1, 2]);
});

it('[WEB-170] a live drawing sends its shapes to the worker, follows the theme of the page, and leaves nothing behind', async () => {
  const ref = createRef<LiveDrawingHandle>();
  const { container, rerender } = await render(<LiveDrawing ref={ref} />);
  await act(async () => ref.current?.draw(drawing));
  const [worker] = DrawingWorker.all;
  expect(worker?.received).toContainEqual({ kind: 'draw', id: 1, message: { kind: 'paint', scene: drawing } });
  expect(only(container, 'span').getAttribute('aria-hidden')).toBe('true');
  onTestFinished(() => {
    delete document.documentElement.dataset.theme;
  });
  document.documentElement.dataset.theme = 'light';
  await vi.waitFor(() => expect(worker?.received.at(-1)).toMatchObject({ id: 1, message: { kind: 'theme' } }), {
    timeout: 2_000,
  });
  await rerender(null);
  expect(worker?.terminated).toBe(true);
  expect(container.querySelector('canvas')).toBeNull();
});

it('[WEB-170] live grids and live drawings share a worker; if it fails, the page draws what the drawing last was', async () => {
  const place = document.createElement('div');
  const grid = openPainter(place, 'rows', GridPainter);
  const opened = openPainter(place, 'drawing', DrawingPainter);
  opened.post({ kind: 'size', size: { width: 10, height: 5, deviceWidth: 10, deviceHeight: 5, ratio: 1 } });
  opened.post({ kind: 'paint', scene: drawing });
  expect(DrawingWorker.all).toHaveLength(1);
  expect(DrawingWorker.all[0]?.received.slice(0, 2)).toMatchObject([
    { kind: 'open', sceneKind: 'rows' },
    { kind: 'open', sceneKind: 'drawing' },
  ]);
  const painted = record();
  DrawingWorker.all[0]?.fail();
  expect(painted).toContainEqual(['fill', 'M0 0h1z', 1, 1, '', 0.5]);
  grid.close();
  opened.close();
  expect(place.children).toHaveLength(0);
});
