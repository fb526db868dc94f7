import type { MarkPattern } from '../../../wallets/marks.ts';
import { type Column, PAD } from './columns.ts';
import type { CanvasTheme, LaneMark, SideTheme } from './theme.ts';

/** A vertical extent, px. */
export interface Extent {
  readonly y: number;
  readonly height: number;
}

export class Brush {
  readonly context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
  readonly #canvas: HTMLCanvasElement | OffscreenCanvas;
  readonly #tiles = new Map<string, CanvasPattern>();
  theme: CanvasTheme;
  /** Width of a digit in the number font, and in the small font, in CSS pixels. */
  charWidth = 7;
  smallCharWidth = 6;
  width = 0;
  height = 0;
  #ratio = 1;

  constructor(canvas: HTMLCanvasElement | OffscreenCanvas, theme: CanvasTheme) {
    const context = canvas.getContext('2d', { alpha: false });
    if (context === null) throw new Error('this browser draws no canvas');
    this.#canvas = canvas;
    this.context = context;
    this.theme = theme;
  }

  setTheme(theme: CanvasTheme): void {
    this.theme = theme;
    this.measure();
  }

  resize(width: number, height: number, ratio: number): void {
    this.#canvas.width = Math.max(1, Math.round(width * ratio));
    this.#canvas.height = Math.max(1, Math.round(height * ratio));
    this.width = width;
    this.height = height;
    this.#ratio = ratio;
    this.measure();
  }

  clear(): void {
    this.context.fillStyle = this.theme.surface;
    this.fillRect(0, 0, this.width, this.height);
  }

  /** Fills a rectangle with its edges on whole device pixels, so that another fill of the same area covers it without residue. */
  fillRect(x: number, y: number, width: number, height: number): void {
    this.context.fillRect(this.snap(x), this.snap(y), this.#snapped(x, width), this.#snapped(y, height));
  }

  /** Draws a thin line inside the edges of the rectangle that `fillRect` would fill. */
  outline(x: number, y: number, width: number, height: number): void {
    const line = this.#snapped(0, 1);
    this.context.lineWidth = line;
    this.context.strokeRect(
      this.snap(x) + line / 2,
      this.snap(y) + line / 2,
      this.#snapped(x, width) - line,
      this.#snapped(y, height) - line,
    );
  }

  /** An extent from `from` in whole device pixels; at least one, so that thin lines stay visible on a page that is zoomed out. */
  #snapped(from: number, extent: number): number {
    return extent <= 0 ? 0 : Math.max(this.hairline, this.snap(from + extent) - this.snap(from));
  }

  /** Draws a number in the number font, right-aligned in its column; digits from `changed` on are brighter. */
  number(text: string, column: Column, baseline: number, color: string, changed = -1, pad = PAD): void {
    const { context } = this;
    const x = column.x + column.width - pad - text.length * this.charWidth;
    context.fillStyle = color;
    if (changed < 0 || changed >= text.length) {
      context.fillText(text, x, baseline);
      return;
    }
    if (changed > 0) context.fillText(text.slice(0, changed), x, baseline);
    context.fillStyle = this.theme.strong;
    context.fillText(text.slice(changed), x + changed * this.charWidth, baseline);
  }

  endingAt(text: string, right: number, baseline: number, color: string): void {
    this.context.fillStyle = color;
    this.context.fillText(text, right - this.context.measureText(text).width, baseline);
  }

  mark(side: SideTheme): CanvasPattern | string {
    return side.striped ? this.#tiled(side.mark, 'striped') : side.mark;
  }

  /** The fill of a watched wallet's orders, in its colour and pattern; a hollow bar is filled solid and cut out afterwards. */
  watched({ hue, pattern }: LaneMark): CanvasPattern | string {
    const color = this.theme.wallets[hue];
    return pattern === 'plain' || pattern === 'hollow' ? color : this.#tiled(color, pattern);
  }

  /** The width of a text in the small font, which is the current one. Letters that the font lacks may be wider than a digit. */
  smallWidth(text: string): number {
    return LATIN.test(text) ? text.length * this.smallCharWidth : this.context.measureText(text).width;
  }

  baseline(y: number, rowHeight: number): number {
    return Math.round(y + rowHeight / 2 + 4);
  }

  snap(x: number): number {
    return Math.round(x * this.#ratio) / this.#ratio;
  }

  get hairline(): number {
    return 1 / this.#ratio;
  }

  /** Measures the font widths. Also restores the drawing state, which a resized canvas has lost. */
  measure(): void {
    const { context } = this;
    this.#tiles.clear();
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.textBaseline = 'alphabetic';
    // Monospaced digits need neither kerning nor ligatures, and without them text costs half as much.
    context.fontKerning = 'none';
    context.textRendering = 'optimizeSpeed';
    const advance = (font: string) => {
      context.font = font;
      return context.measureText('0000000000').width / 10;
    };
    this.charWidth = advance(this.theme.numberFont);
    this.smallCharWidth = advance(this.theme.smallFont);
  }

  #tiled(color: string, pattern: keyof typeof TILES): CanvasPattern | string {
    const key = `${pattern} ${color}`;
    const known = this.#tiles.get(key);
    if (known !== undefined) return known;
    const step = Math.max(2, Math.round(2 * this.#ratio));
    const tile = smallCanvas(2 * step);
    const context = tile.getContext('2d');
    if (context === null) return color;
    context.fillStyle = color;
    for (const [x, y, width, height] of TILES[pattern])
      context.fillRect(x * step, y * step, width * step, height * step);
    const made = this.context.createPattern(tile, 'repeat');
    if (made === null) return color;
    made.setTransform(new DOMMatrix().scale(1 / this.#ratio));
    this.#tiles.set(key, made);
    return made;
  }
}

/** Characters that the small font has, all of one width. */
const LATIN = /^[\u0020-\u00ff…]*$/;

/** The filled rectangles of a two by two tile: x, y, width and height. */
const TILES = {
  striped: [[0, 0, 2, 1]],
  dotted: [
    [0, 0, 1, 1],
    [1, 1, 1, 1],
  ],
} as const satisfies Partial<Record<MarkPattern, readonly (readonly [number, number, number, number])[]>>;

/** A square canvas for a pattern's tile, in a worker or on the page. */
function smallCanvas(size: number): HTMLCanvasElement | OffscreenCanvas {
  if (typeof OffscreenCanvas !== 'undefined') return new OffscreenCanvas(size, size);
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  return canvas;
}
