import { type CanvasContext, openContext } from '../draw/canvas-context.ts';
import type { DrawTheme } from '../draw/draw-theme.ts';
import type { CanvasSize, Painter, ToPainter } from '../draw/painter.ts';

/** A shape in the drawing's own units. */
export interface Shape {
  /** SVG path data. */
  readonly path: string;
  /** A filled area, or a line about one CSS pixel wide, in whole device pixels. */
  readonly kind: 'area' | 'line';
  readonly tone: keyof DrawTheme;
  /** From 0 to 1; 1 when omitted. */
  readonly opacity?: number;
}

/** Shapes, the first below the others, in units that are stretched to the canvas. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/** Draws shapes on a transparent canvas. */
export class DrawingPainter implements Painter<Drawing> {
  readonly #canvas: HTMLCanvasElement | OffscreenCanvas;
  readonly #context: CanvasContext;
  #theme: DrawTheme;
  #size: CanvasSize | undefined;
  #drawing: Drawing | undefined;

  constructor(canvas: HTMLCanvasElement | OffscreenCanvas, theme: DrawTheme) {
    this.#canvas = canvas;
    this.#context = openContext(canvas, () => this.#paint());
    this.#theme = theme;
  }

  receive(message: ToPainter<Drawing>): void {
    switch (message.kind) {
      case 'theme':
        this.#theme = message.theme;
        break;
      case 'size':
        this.#size = message.size;
        this.#canvas.width = Math.max(1, message.size.deviceWidth);
        this.#canvas.height = Math.max(1, message.size.deviceHeight);
        break;
      case 'paint':
        this.#drawing = message.scene;
    }
    this.#paint();
  }

  /** Shapes have no text. */
  remeasure(): void {}

  #paint(): void {
    const [context, size, drawing] = [this.#context, this.#size, this.#drawing];
    if (size === undefined || drawing === undefined) return;
    const { width, height } = this.#canvas;
    context.clearRect(0, 0, width, height);
    const units = new DOMMatrix([width / drawing.width, 0, 0, height / drawing.height, 0, 0]);
    for (const { path, kind, tone, opacity = 1 } of drawing.shapes) {
      // The path is stretched, and a line's width is not.
      const stretched = new Path2D();
      stretched.addPath(new Path2D(path), units);
      context.globalAlpha = opacity;
      if (kind === 'area') {
        context.fillStyle = this.#theme[tone];
        context.fill(stretched);
      } else {
        context.strokeStyle = this.#theme[tone];
        context.lineWidth = Math.max(1, Math.round(size.ratio));
        context.stroke(stretched);
      }
    }
  }
}
