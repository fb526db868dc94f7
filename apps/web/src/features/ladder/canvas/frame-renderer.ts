import { type LadderFrame, readFrame } from '../../../book-worker/frame/read-frame.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { indexHolding, indexOfPrice, type TickGrid, tickGrid } from '../../../book-worker/prices.ts';
import type { Layout } from './lane-hit.ts';
import { Painter, type Scene } from './painter.ts';
import type { CanvasTheme, LaneMark } from './theme.ts';

/** What is drawn besides the frame, as sent by the page. */
export interface SceneChoice extends Omit<Scene, 'frame' | 'grid' | 'selected' | 'crosshair' | 'marks'> {
  readonly selected: LevelRef | undefined;
  readonly crosshair: string | undefined;
}

/** Message from the renderer to the page: the layout of its frames from now on. */
export interface FromPainter {
  readonly kind: 'layout';
  readonly layout: Layout;
}

/** Messages from the page to the renderer. */
export type ToPainter =
  | { readonly kind: 'theme'; readonly theme: CanvasTheme }
  /** In CSS pixels; `ratio` device pixels each. */
  | { readonly kind: 'size'; readonly width: number; readonly height: number; readonly ratio: number }
  /** How each mark of a frame is drawn, from 1; takes effect with the next frame. */
  | { readonly kind: 'marks'; readonly marks: readonly LaneMark[] }
  /** Another tick: scales and column widths reset with the next frame. */
  | { readonly kind: 'reset' }
  /** Another coin: clears the canvas. */
  | { readonly kind: 'blank' }
  /** Draws; without a buffer it draws the last frame again, because only the choice changed. */
  | { readonly kind: 'paint'; readonly buffer: ArrayBuffer | undefined; readonly choice: SceneChoice };

/** The first message to the painting worker; `ToPainter` follows. */
export interface OpenPainter {
  readonly kind: 'open';
  readonly canvas: OffscreenCanvas;
  readonly theme: CanvasTheme;
}

/** Draws what the page sends. By itself it redraws digits that fade, and the last frame after a resize. */
export class FrameRenderer {
  readonly #canvas: EventTarget;
  readonly #painter: Painter;
  readonly #tell: (message: FromPainter) => void;
  #layout: Layout | undefined;
  #frame: LadderFrame | undefined;
  #grid: TickGrid | undefined;
  #choice: SceneChoice | undefined;
  #marks: readonly LaneMark[] = [];
  #fadeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(canvas: HTMLCanvasElement | OffscreenCanvas, theme: CanvasTheme, tell: (message: FromPainter) => void) {
    this.#tell = tell;
    this.#painter = new Painter(canvas, theme);
    this.#canvas = canvas;
    // The browser may drop the context, for example when memory is low.
    this.#canvas.addEventListener('contextrestored', this.#restore);
  }

  receive(message: ToPainter): void {
    switch (message.kind) {
      case 'theme':
        this.#painter.setTheme(message.theme);
        return this.#paint();
      case 'size':
        this.#painter.resize(message.width, message.height, message.ratio);
        return this.#paint();
      case 'marks':
        this.#marks = message.marks;
        return;
      case 'reset':
        return this.#painter.reset();
      case 'blank':
        this.#frame = undefined;
        this.#painter.reset();
        return this.#painter.clear();
      case 'paint':
        this.#choice = message.choice;
        if (message.buffer !== undefined) this.#take(readFrame(message.buffer));
        return this.#paint();
    }
  }

  /** Fonts have loaded: measures and draws again. */
  remeasure(): void {
    this.#painter.remeasure();
    this.#paint();
  }

  close(): void {
    clearTimeout(this.#fadeTimer);
    this.#canvas.removeEventListener('contextrestored', this.#restore);
  }

  readonly #restore = () => {
    this.#painter.restore();
    this.#paint();
  };

  #take(frame: LadderFrame): void {
    this.#frame = frame;
    if (this.#grid?.tick !== frame.tick) this.#grid = tickGrid(frame.tick);
  }

  /** Loop "fade": schedules a repaint only while a digit is brighter than normal. */
  #paint(): void {
    clearTimeout(this.#fadeTimer);
    const frame = this.#frame;
    const grid = this.#grid;
    const choice = this.#choice;
    if (frame === undefined || grid === undefined || choice === undefined) return;
    const { side, px } = choice.selected ?? {};
    const index = px === undefined ? undefined : indexOfPrice(grid, px);
    const selected = side === undefined || index === undefined ? undefined : { side, index };
    const now = performance.now();
    const crosshair = choice.crosshair === undefined ? undefined : indexHolding(grid, 'B', choice.crosshair);
    const due = this.#painter.paint({ ...choice, frame, grid, selected, crosshair, marks: this.#marks }, now);
    const { layout } = this.#painter;
    if (layout !== undefined && layout !== this.#layout) {
      this.#layout = layout;
      this.#tell({ kind: 'layout', layout });
    }
    if (due !== undefined) this.#fadeTimer = setTimeout(() => this.#paint(), Math.max(0, due - now));
  }
}
