// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type DrawnTexts, stubCanvas } from '../../test-support/canvas.ts';
import { drawTheme as theme } from '../../test-support/draw-theme.ts';
import { GridPainter, type GridScene } from './grid-painter.ts';
import { type CellPart, numberPart, wordsPart } from './live-column.ts';

const ROW = 20;
/** Width of a character on the stub canvas. */
const CHAR = 7;

const COLUMNS = [
  { x: 0, width: 100, isEnd: true },
  { x: 100, width: 120, isEnd: false },
  { x: 220, width: 80, isEnd: true },
];

let drawn: DrawnTexts;
let painter: GridPainter;

beforeEach(() => {
  drawn = stubCanvas();
  painter = new GridPainter(document.createElement('canvas'), theme, true);
  painter.receive({
    kind: 'size',
    size: { width: 300, height: 200, deviceWidth: 300, deviceHeight: 200, ratio: 1 },
  });
});

const row = (block: string, what: readonly CellPart[], px: string): readonly (readonly CellPart[])[] => [
  [numberPart(block, 'text-dim', 11)],
  what,
  [numberPart(px, 'bid')],
];

const scene = (change: Partial<GridScene> = {}): GridScene => ({
  rowHeight: ROW,
  columns: COLUMNS,
  rows: [row('985', [wordsPart('+ added')], '101.5'), row('984', [wordsPart('- cancelled')], '99')],
  first: 0,
  top: 0,
  left: 0,
  selected: undefined,
  pointed: undefined,
  active: undefined,
  hidesPrivate: false,
  ...change,
});

const paint = (change?: Partial<GridScene>) => {
  drawn.take();
  painter.receive({ kind: 'paint', scene: scene(change) });
  return drawn.take();
};

describe('drawing a live grid', () => {
  it('[WEB-111] draws each cell in its column and colour, with numbers right-aligned', () => {
    expect(paint()).toEqual([
      { text: '985', color: 'text-dim', x: 92 - 3 * CHAR, y: 14 },
      { text: '+ added', color: 'text', x: 108, y: 14 },
      { text: '101.5', color: 'bid', x: 292 - 5 * CHAR, y: 14 },
      { text: '984', color: 'text-dim', x: 92 - 3 * CHAR, y: 34 },
      { text: '- cancelled', color: 'text', x: 108, y: 34 },
      { text: '99', color: 'bid', x: 292 - 2 * CHAR, y: 34 },
    ]);
  });

  it('[WEB-111] draws at the scroll position', () => {
    const [first] = paint({ first: 7, top: 7 * ROW + 5, left: 30 });
    expect(first).toMatchObject({ x: 92 - 3 * CHAR - 30, y: 9 });
  });

  it('[WEB-111] cuts the last text of a cell with an ellipsis if it does not fit', () => {
    const what = [wordsPart('- cancelled'), wordsPart('reduce only', 'text-dim')];
    const texts = paint({ rows: [row('985', what, '1')] }).filter(({ x }) => x >= 100 && x < 220);
    expect(texts.map(({ text }) => text)).toEqual(['- cancelled', 're…']);
    const end = (texts.at(-1)?.x ?? 0) + 'redu'.length * CHAR;
    expect(end).toBeLessThanOrEqual(220);
  });

  it('[WEB-111] draws a number that is hardly too wide whole, and cuts a wider one visibly', () => {
    // The last column has 64 px, nine characters of the stub, and space for one more beside them.
    expect(paint({ rows: [row('985', [], '1234567.89')] }).at(-1)?.text).toBe('1234567.89');
    expect(paint({ rows: [row('985', [], '12345678.901')] }).at(-1)?.text).toBe('12345678…');
  });

  it('[WEB-111] draws the backgrounds of the selected and the hovered row, and a line below each', () => {
    const before = drawn.rects('surface-2').length;
    paint({ selected: 0, pointed: { row: 1, column: 0 } });
    expect(drawn.rects('accent-soft').at(-1)).toEqual({ x: 0, y: 0, width: 300 });
    expect(drawn.rects('accent')).toEqual([{ x: 0, y: 0, width: 3 }]);
    expect(drawn.rects('surface-2').slice(before)).toEqual([{ x: 0, y: ROW, width: 300 }]);
    expect(drawn.rects('line').slice(-2)).toEqual([
      { x: 0, y: ROW - 1, width: 300 },
      { x: 0, y: 2 * ROW - 1, width: 300 },
    ]);
  });

  it('[WEB-111] draws a bar behind a number, as long as its share of the cell, without moving the number', () => {
    const bar: CellPart = { kind: 'bar', share: 0.5, tone: 'bid-mark' };
    const share = numberPart('12.34 %');
    const texts = paint({ rows: [[[], [], [bar, share]]] });
    expect(drawn.rects('bid-mark')).toEqual([{ x: 228, y: 3, width: 32 }]);
    expect(texts).toEqual(paint({ rows: [[[], [], [share]]] }));
    expect(texts).toEqual([{ text: '12.34 %', color: 'text', x: 292 - 7 * CHAR, y: 14 }]);
  });

  it('[WEB-111] keeps its fonts after the browser drops and restores the context', () => {
    const canvas = document.createElement('canvas');
    const restored = new GridPainter(canvas, theme, true);
    const size = { width: 300, height: 200, deviceWidth: 600, deviceHeight: 400, ratio: 2 };
    restored.receive({ kind: 'size', size });
    // All in one font: only the restore sets it again.
    restored.receive({ kind: 'paint', scene: scene({ rows: [[[wordsPart('added')]]] }) });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const { font } = context;
    expect(font).toContain('13px "Inter Variable"');
    Object.assign(context, { font: '10px sans-serif', textBaseline: 'top' });
    const transform = vi.spyOn(context, 'setTransform');
    drawn.take();
    canvas.dispatchEvent(new Event('contextrestored'));
    expect(drawn.take().map(({ text }) => text)).toEqual(['added']);
    expect([context.font, context.textBaseline]).toEqual([font, 'alphabetic']);
    expect(transform).toHaveBeenLastCalledWith(2, 0, 0, 2, 0, 0);
  });

  it('[WEB-14] outlines the active cell, and only that', () => {
    paint();
    expect(drawn.outlines('accent')).toEqual([]);
    paint({ active: { row: 1, column: 2 } });
    expect(drawn.outlines('accent')).toEqual([{ x: 221, y: ROW + 1, width: 78, height: ROW - 3 }]);
  });

  it('[WEB-11] draws a watched wallet with its letter in its colour, and its label beside it', () => {
    const mark = { kind: 'mark', letter: 'M', tone: 'wallet-magenta', outline: 'dotted' } as const;
    const texts = paint({ rows: [row('985', [mark, wordsPart('Maker')], '1')] });
    expect(texts).toContainEqual(expect.objectContaining({ text: 'M', color: 'wallet-magenta' }));
    expect(texts).toContainEqual(expect.objectContaining({ text: 'Maker', x: 108 + 18 + 4 }));
  });

  it('[WEB-111] hides private parts until the pointer is on them', () => {
    const rows = [row('985', [{ ...numberPart('0x12…cd'), isPrivate: true }], '1')];
    const says = (change: Partial<GridScene>) => paint({ rows, ...change }).map(({ text }) => text);
    expect(says({ hidesPrivate: true })).toEqual(['985', '1']);
    expect(says({ hidesPrivate: true, pointed: { row: 0, column: 0 } })).toEqual(['985', '1']);
    expect(says({ hidesPrivate: true, pointed: { row: 0, column: 1 } })).toEqual(['985', '0x12…cd', '1']);
    expect(says({})).toEqual(['985', '0x12…cd', '1']);
  });

  it('[WEB-111] redraws in other colours when the theme changes, and after a resize', () => {
    paint();
    painter.receive({ kind: 'theme', theme: { ...theme, bid: 'other' } });
    expect(drawn.take()).toContainEqual(expect.objectContaining({ text: '99', color: 'other' }));
    painter.receive({
      kind: 'size',
      size: { width: 300, height: 100, deviceWidth: 600, deviceHeight: 200, ratio: 2 },
    });
    expect(drawn.take()).toHaveLength(6);
  });

  it('[WEB-111] uses no font before it is loaded, because a canvas keeps its fallback', () => {
    const canvas = document.createElement('canvas');
    const fonts: string[] = [];
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    Object.defineProperty(context, 'font', {
      configurable: true,
      set(font: string) {
        fonts.push(font);
      },
    });
    const waiting = new GridPainter(canvas, theme, false);
    waiting.receive({
      kind: 'size',
      size: { width: 300, height: 200, deviceWidth: 300, deviceHeight: 200, ratio: 1 },
    });
    waiting.receive({ kind: 'paint', scene: scene() });
    expect(new Set(fonts)).toEqual(
      new Set([
        '400 11px ui-monospace, monospace',
        '400 12px ui-monospace, monospace',
        '400 13px system-ui, sans-serif',
      ]),
    );
    fonts.length = 0;
    waiting.remeasure();
    expect(fonts).toContain('400 13px "Inter Variable", system-ui, sans-serif');
    expect(fonts.every((font) => font.includes('Variable'))).toBe(true);
  });

  it('[WEB-111] starts each row on a whole device pixel', () => {
    painter.receive({
      kind: 'size',
      size: { width: 300, height: 200, deviceWidth: 450, deviceHeight: 300, ratio: 1.5 },
    });
    paint({ top: 0.4, selected: 1 });
    const y = drawn.rects('accent-soft').at(-1)?.y ?? Number.NaN;
    expect(y * 1.5).toBeCloseTo(Math.round(y * 1.5), 9);
  });
});
