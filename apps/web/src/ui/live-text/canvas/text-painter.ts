import { withoutFaces } from '../../draw/worker-faces.ts';

/** How a text looks, and how much room its canvas has. */
export interface TextLook {
  /** A CSS colour. */
  readonly color: string;
  readonly weight: string;
  /** Of its letters, in CSS pixels. */
  readonly size: number;
  /** Of its line, in CSS pixels. */
  readonly line: number;
  /** Of its canvas, in device pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
}

/** Messages to the worker that draws live texts, each of which has a number. */
export type ToTextWorker =
  | { readonly kind: 'open'; readonly id: number; readonly canvas: OffscreenCanvas; readonly look: TextLook }
  | { readonly kind: 'look'; readonly id: number; readonly look: TextLook }
  /** What has changed since the last message. */
  | { readonly kind: 'write'; readonly texts: readonly (readonly [id: number, text: string])[] }
  | { readonly kind: 'close'; readonly id: number };

/** It draws what it is sent. */
export type FromTextWorker = 'ready';

const FACE = '"JetBrains Mono Variable", ui-monospace, monospace';

/** Draws one line of characters of one width where the page would have laid it out. */
export class TextPainter {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D;
  #look: TextLook;
  #hasFaces: boolean;
  #text = '';
  #baseline = 0;

  /** Without `hasFaces` the page's faces are on their way: `remeasure` tells when they can be drawn with. */
  constructor(canvas: OffscreenCanvas, look: TextLook, hasFaces: boolean) {
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('this browser draws no canvas');
    this.#canvas = canvas;
    this.#context = context;
    this.#look = look;
    this.#hasFaces = hasFaces;
    this.#prepare();
    // The browser may drop the context, as when memory is short; a restored one has its default state.
    canvas.addEventListener('contextrestored', () => {
      this.#prepare();
      this.#paint();
    });
  }

  write(text: string): void {
    this.#text = text;
    this.#paint();
  }

  setLook(look: TextLook): void {
    this.#look = look;
    this.#prepare();
    this.#paint();
  }

  /** Faces came: measures and draws again. */
  remeasure(): void {
    this.#hasFaces = true;
    this.#prepare();
    this.#paint();
  }

  /** To size a canvas forgets what it shows, and how it draws. */
  #prepare(): void {
    const context = this.#context;
    const { width, height, ratio, weight, size, line, color } = this.#look;
    this.#canvas.width = width;
    this.#canvas.height = height;
    const font = `${weight} ${size}px ${FACE}`;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = this.#hasFaces ? font : withoutFaces(font);
    context.textBaseline = 'alphabetic';
    context.fontKerning = 'none';
    context.textRendering = 'optimizeSpeed';
    context.fillStyle = color;
    const { fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('0');
    const [above, below] = [Math.round(fontBoundingBoxAscent), Math.round(fontBoundingBoxDescent)];
    // As a browser lays out a line: the room that the letters leave is halved, the smaller half above.
    this.#baseline = Math.floor((line - above - below) / 2) + above;
  }

  #paint(): void {
    const { width, height, ratio } = this.#look;
    this.#context.clearRect(0, 0, width / ratio, height / ratio);
    this.#context.fillText(this.#text, 0, this.#baseline);
  }
}
