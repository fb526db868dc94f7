import type { Axis } from '../../../book-worker/axis.ts';
import type { LevelRef } from '../../../book-worker/position.ts';

/** A press that moves further than this is a drag, not a click. */
const DRAG_FROM = 4;

/** What a drag does, from where it begins. */
export type DragKind = 'scroll' | 'band';

/** What the pointer finds, and what it does. Places are in CSS pixels from the canvas's own corner. */
export interface PointerTarget {
  rowHeight(): number;
  /** The axis as drawn, which a drag starts from; undefined while nothing is. */
  axis(): Axis | undefined;
  levelAt(y: number): LevelRef | undefined;
  /** The pointer is over the rows, at `x` and `y`, or dragging (no row then). */
  onPoint(at: { readonly x: number; readonly y: number } | undefined): void;
  /** Nothing points at the rows any more. */
  onLeave(): void;
  onChoose(level: LevelRef): void;
  /** What dragging from `y` by `distance` does: it has just become a drag. */
  dragKind(y: number, distance: number, pointerType: string): DragKind;
  /** Dragged by whole rows from where the press began. */
  onDrag(from: Axis, rows: number): void;
  /** Dragged from a price to another one. */
  onBand(from: LevelRef, y: number): void;
  /** That drag has ended where it is. */
  onBandEnd(): void;
  /** Turned by whole rows; positive shows higher prices. */
  onWheel(rows: number): void;
}

interface Press {
  readonly pointerId: number;
  readonly y: number;
  readonly axis: Axis;
  /** The price that stood there when the button went down (WEB-4). */
  readonly level: LevelRef | undefined;
  dragging: DragKind | undefined;
}

/** Turns what mouse, pen and finger do on the canvas into pointing, choosing and scrolling. */
export class PanePointer {
  readonly #canvas: HTMLCanvasElement;
  readonly #target: PointerTarget;
  #press: Press | undefined;
  #wheel = 0;

  constructor(canvas: HTMLCanvasElement, target: PointerTarget) {
    this.#canvas = canvas;
    this.#target = target;
  }

  /** Listens until the signal ends it. */
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
    press.dragging ??= this.#target.dragKind(press.y, distance, event.pointerType);
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
    this.#press = { pointerId, y: offsetY, axis, level: this.#target.levelAt(offsetY), dragging: undefined };
    this.#canvas.setPointerCapture(pointerId);
  }

  #onUp({ pointerId, pointerType }: PointerEvent): void {
    const press = this.#press;
    if (press === undefined || press.pointerId !== pointerId) return;
    this.#press = undefined;
    if (press.dragging === 'band') this.#target.onBandEnd();
    else if (press.dragging === undefined && press.level !== undefined) this.#target.onChoose(press.level);
    // A finger that is lifted points at nothing any more; a mouse does.
    if (pointerType !== 'mouse') this.#onLeave();
  }

  #onWheel(event: WheelEvent): void {
    // With Control held the browser zooms.
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const rowHeight = this.#target.rowHeight();
    this.#wheel += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * rowHeight;
    const rows = Math.trunc(this.#wheel / rowHeight);
    this.#wheel -= rows * rowHeight;
    this.#target.onWheel(-rows);
  }
}
