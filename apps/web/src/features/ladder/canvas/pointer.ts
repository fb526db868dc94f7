import type { Side } from '@l4desk/protocol';
import type { Axis } from '../../../book-worker/axis.ts';
import type { LevelRef } from '../../../book-worker/position.ts';

/** A press that moves further than this is a drag, not a click. */
const DRAG_FROM = 4;

/** What a drag does, depending on where it starts. */
export type DragKind = 'scroll' | 'band';

/** Receives what the pointer does, and reports what is on the canvas. Positions are in CSS pixels from the canvas's corner. */
export interface PointerTarget {
  rowHeight(): number;
  /** The drawn axis, from which a drag starts; undefined while nothing is drawn. */
  axis(): Axis | undefined;
  levelAt(y: number): LevelRef | undefined;
  /** The pointer is over the rows at `x` and `y`, or dragging (undefined then). */
  onPoint(at: { readonly x: number; readonly y: number } | undefined): void;
  /** The pointer no longer points at the rows. */
  onLeave(): void;
  onChoose(level: LevelRef): void;
  /** The sides whose best price is at `y`. */
  bestAt(y: number): readonly Side[];
  /** What a drag does that is outward from the best price of a side, or not; called when a press becomes a drag. */
  dragKind(isOutward: boolean, pointerType: string): DragKind;
  /** Dragged by whole rows from where the press started. */
  onDrag(from: Axis, rows: number): void;
  /** Dragged from one price to another. */
  onBand(from: LevelRef, y: number): void;
  /** A band drag has ended. */
  onBandEnd(): void;
  /** The wheel turned by whole rows; positive shows higher prices. */
  onWheel(rows: number): void;
}

interface Press {
  readonly pointerId: number;
  readonly y: number;
  readonly axis: Axis;
  /** The price that was there when the button went down. */
  level: LevelRef | undefined;
  /** The sides whose best price was there: a drag sweeps one of them, wherever the rows are by then. */
  readonly best: readonly Side[];
  dragging: DragKind | undefined;
}

/** Turns mouse, pen and finger input on the canvas into pointing, selecting and scrolling. */
export class PanePointer {
  readonly #canvas: HTMLCanvasElement;
  readonly #target: PointerTarget;
  #press: Press | undefined;
  #wheel = 0;

  constructor(canvas: HTMLCanvasElement, target: PointerTarget) {
    this.#canvas = canvas;
    this.#target = target;
  }

  /** Listens until the signal aborts. */
  listen(signal: AbortSignal): void {
    const canvas = this.#canvas;
    canvas.addEventListener('pointerenter', (event) => this.#onMove(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#onMove(event), { signal });
    canvas.addEventListener('pointerleave', () => this.#onLeave(), { signal });
    canvas.addEventListener('pointercancel', () => this.#onLeave(), { signal });
    canvas.addEventListener('pointerdown', (event) => this.#onDown(event), { signal });
    canvas.addEventListener('pointerup', (event) => this.#onUp(event), { signal });
    canvas.addEventListener('wheel', (event) => this.#onWheel(event), { signal, passive: false });
  }

  #onMove(event: PointerEvent): void {
    const press = this.#press;
    if (press !== undefined && press.pointerId === event.pointerId) this.#drag(event, press);
    const { offsetX: x, offsetY: y } = event;
    this.#target.onPoint(press?.dragging === 'scroll' ? undefined : { x, y });
  }

  #drag(event: PointerEvent, press: Press): void {
    const distance = event.offsetY - press.y;
    if (press.dragging === undefined && Math.abs(distance) < DRAG_FROM) return;
    if (press.dragging === undefined) {
      const side = distance < 0 ? 'A' : 'B';
      const isOutward = press.best.includes(side);
      press.dragging = this.#target.dragKind(isOutward, event.pointerType);
      // A locked book has both sides' best price in one row.
      if (isOutward && press.level !== undefined) press.level = { ...press.level, side };
    }
    if (press.dragging === 'band' && press.level !== undefined) this.#target.onBand(press.level, event.offsetY);
    else this.#target.onDrag(press.axis, Math.round(distance / this.#target.rowHeight()));
  }

  #onLeave(): void {
    this.#press = undefined;
    this.#target.onLeave();
  }

  #onDown({ button, pointerId, offsetY }: PointerEvent): void {
    const axis = this.#target.axis();
    if (button !== 0 || axis === undefined) return;
    const target = this.#target;
    const [level, best] = [target.levelAt(offsetY), target.bestAt(offsetY)];
    this.#press = { pointerId, y: offsetY, axis, level, best, dragging: undefined };
    this.#canvas.setPointerCapture(pointerId);
  }

  #onUp({ pointerId, pointerType }: PointerEvent): void {
    const press = this.#press;
    if (press === undefined || press.pointerId !== pointerId) return;
    this.#press = undefined;
    if (press.dragging === 'band') this.#target.onBandEnd();
    else if (press.dragging === undefined && press.level !== undefined) this.#target.onChoose(press.level);
    // A lifted finger no longer points at anything; a mouse still does.
    if (pointerType !== 'mouse') this.#onLeave();
  }

  #onWheel(event: WheelEvent): void {
    // With Control held, the wheel zooms the browser.
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const rowHeight = this.#target.rowHeight();
    this.#wheel += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * rowHeight;
    const rows = Math.trunc(this.#wheel / rowHeight);
    this.#wheel -= rows * rowHeight;
    this.#target.onWheel(-rows);
  }
}
