// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type DrawnTexts, stubCanvas } from '../../../test-support/canvas.ts';
import { DrawingWorker } from '../../../test-support/drawing-worker.ts';
import { gridTheme as theme } from '../../../test-support/live-grid.ts';
import { numberPart } from '../live-column.ts';
import type { ToGridPainter } from './grid-painter.ts';
import { openGridPainter } from './open-grid-painter.ts';

const size: ToGridPainter = {
  kind: 'size',
  size: { width: 300, height: 200, deviceWidth: 300, deviceHeight: 200, ratio: 1 },
};
const paint: ToGridPainter = {
  kind: 'paint',
  scene: {
    rowHeight: 20,
    columns: [{ x: 0, width: 300, isEnd: false }],
    rows: [[[numberPart('985', 'bid')]]],
    first: 0,
    top: 0,
    left: 0,
    selected: undefined,
    pointed: undefined,
    active: undefined,
    hidesPrivate: false,
  },
};

DrawingWorker.install();

let drawn: DrawnTexts;
let place: HTMLElement;

beforeEach(() => {
  drawn = stubCanvas();
  place = document.createElement('div');
});

describe('the painter of live grids', () => {
  it('[WEB-111] is one worker for all grids, which terminates with the last', () => {
    const first = openGridPainter(place, theme);
    const second = openGridPainter(place, theme);
    first.post(size);
    second.post(paint);
    const [worker, ...others] = DrawingWorker.all;
    expect(others).toEqual([]);
    expect(worker?.received).toEqual([
      { kind: 'open', id: 1, canvas: {}, theme },
      { kind: 'open', id: 2, canvas: {}, theme },
      { kind: 'draw', id: 1, message: size },
      { kind: 'draw', id: 2, message: paint },
    ]);
    first.close();
    expect(place.children).toHaveLength(1);
    expect(worker?.terminated).toBe(false);
    second.close();
    expect(worker?.terminated).toBe(true);
    openGridPainter(place, theme).close();
    expect(DrawingWorker.all).toHaveLength(2);
  });

  it('[WEB-111] is the page itself if the worker fails, starting with the last messages', () => {
    const painter = openGridPainter(place, theme);
    painter.post(size);
    painter.post(paint);
    expect(drawn.take()).toEqual([]);
    const [worker] = DrawingWorker.all;
    worker?.fail();
    expect(worker?.terminated).toBe(true);
    expect(drawn.take().map(({ text }) => text)).toEqual(['985']);
    expect(place.children).toHaveLength(1);
    painter.post(paint);
    expect(drawn.take()).toHaveLength(1);
    painter.close();
    expect(place.children).toHaveLength(0);
  });

  it('[WEB-111] is the page itself in a browser that cannot draw in a worker', () => {
    vi.stubGlobal('Worker', undefined);
    const painter = openGridPainter(place, theme);
    painter.post(size);
    painter.post(paint);
    expect(drawn.take().map(({ text }) => text)).toEqual(['985']);
    painter.close();
    expect(place.children).toHaveLength(0);
  });
});
