import { type CanvasContext, openContext } from '../../draw/canvas-context.ts';
import { withoutFaces } from '../../draw/worker-faces.ts';

/** The style of a text, and the size of its canvas. */
export interface TextLook {
  /** A CSS colour. */
  readonly color: string;
  readonly weight: string;
  /** Font size, in CSS pixels. */
  readonly size: number;
  /** Line height, in CSS pixels. */
  readonly line: number;
  /** Size of the canvas, in device pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/** Messages to the worker that draws live texts; each text has its own number. */
export type ToTextWorker =
  | { readonly kind: 'open'; readonly id: number; readonly canvas: OffscreenCanvas; readonly look: TextLook }
  | { readonly kind: 'look'; readonly id: number; readonly look: TextLook }
  /** The texts that changed since the last message. */
  | { readonly kind: 'write'; readonly texts: readonly (readonly [id: number, text: string])[] }
  | { readonly kind: 'close'; readonly id: number };

/** Sent once the worker has started drawing. */
export type FromTextWorker = 'ready';

const FACE = '"JetBrains Mono Variable", ui-monospace, monospace';

/** Draws one line of monospaced text where the page would have laid it out. */
export class TextPainter {
  readonly #canvas: OffscreenCanvas;
  readonly #context: CanvasContext;
  #look: TextLook;
  #hasFaces: boolean;
  #text = '';
  #baseline = 0;

  /** Without `hasFaces`, the page's fonts are still loading: call `remeasure` once they are loaded. */
  constructor(canvas: OffscreenCanvas, look: TextLook, hasFaces: boolean) {
    this.#canvas = canvas;
    this.#context = openContext(canvas, () => {
      this.#prepare();
      this.#paint();
    });
    this.#look = look;
    this.#hasFaces = hasFaces;
    this.#prepare();
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

  /** Called when fonts are loaded: measures and draws again. */
  remeasure(): void {
    this.#hasFaces = true;
    this.#prepare();
    this.#paint();
  }

  /** Sizes the canvas, which clears it and resets its drawing state, and sets that state again. */
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
    // As a browser lays out a line: the space that the letters leave is halved, the smaller half above.
    this.#baseline = Math.floor((line - above - below) / 2) + above;
  }

  #paint(): void {
    const { width, height, ratio } = this.#look;
    this.#context.clearRect(0, 0, width / ratio, height / ratio);
    this.#context.fillText(this.#text, 0, this.#baseline);
  }
}
