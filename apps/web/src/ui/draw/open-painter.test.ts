// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type DrawnTexts, stubCanvas } from '../../test-support/canvas.ts';
import { DrawingWorker } from '../../test-support/drawing-worker.ts';
import { GridPainter, type GridScene } from '../live-grid/grid-painter.ts';
import { numberPart } from '../live-grid/live-column.ts';
import { openPainter } from './open-painter.ts';
import type { ToPainter } from './painter.ts';

const size: ToPainter<GridScene> = {
  kind: 'size',
  size: { width: 300, height: 200, deviceWidth: 300, deviceHeight: 200, ratio: 1 },
};
const paint: ToPainter<GridScene> = {
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

const open = () => openPainter(place, 'rows', GridPainter);

const theme = expect.anything();

describe('the painter of live grids and drawings', () => {
  it('[WEB-111] is one worker for all grids, which terminates with the last', () => {
    const first = open();
    const second = open();
    first.post(size);
    second.post(paint);
    const [worker, ...others] = DrawingWorker.all;
    expect(others).toEqual([]);
    expect(worker?.received).toEqual([
      { kind: 'open', id: 1, sceneKind: 'rows', canvas: {}, theme },
      { kind: 'open', id: 2, sceneKind: 'rows', canvas: {}, theme },
      { kind: 'draw', id: 1, message: size },
      { kind: 'draw', id: 2, message: paint },
    ]);
    first.close();
    expect(place.children).toHaveLength(1);
    expect(worker?.terminated).toBe(false);
    second.close();
    expect(worker?.terminated).toBe(true);
    open().close();
    expect(DrawingWorker.all).toHaveLength(2);
  });

  it('[WEB-111] is the page itself if the worker fails, starting with the last messages', () => {
    const painter = open();
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
    const painter = open();
    painter.post(size);
    painter.post(paint);
    expect(drawn.take().map(({ text }) => text)).toEqual(['985']);
    painter.close();
    expect(place.children).toHaveLength(0);
  });
});
