import type { Side } from '@l4desk/protocol';
import { type Axis, barSlot, indexAtSlot, scrolled } from '../../../book-worker/axis.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { indexHolding, priceOfIndex } from '../../../book-worker/prices.ts';
import { levelOfIndex } from './frame-rows.ts';
import { HEADING } from './paint-lines.ts';
import type { SceneTools } from './scene-tools.ts';
import type { SceneParts, ScenePointer, ToScene } from './scene-types.ts';

/** A press that moves further than this is a drag, not a click. */
const DRAG_FROM = 4;

interface Press {
  readonly pointerId: number;
  readonly y: number;
  readonly axis: Axis;
  /** The price that was there when the button went down. */
  level: LevelRef | undefined;
  /** The sides whose best price was there: a drag sweeps one of them, wherever the rows are by then. */
  readonly best: readonly Side[];
  /** It is on the bar between them, the handle of both sweeps: there a finger sweeps too. */
  readonly isHandle: boolean;
  dragging: 'scroll' | 'band' | undefined;
}

/** Turns what mouse, pen and finger do on the canvas into pointing, selecting, scrolling, measuring and sweeping. */
export class SceneInput {
  readonly #scene: SceneParts;
  readonly #tools: SceneTools;
  #press: Press | undefined;
  /** Pixels that the wheel turned, less than a row. */
  #wheel = 0;
  #isOver = false;
  #hover: number | undefined;
  /** The pointer's position, until what is there has been looked up. */
  #at: { readonly x: number; readonly y: number } | undefined;

  constructor(scene: SceneParts, tools: SceneTools) {
    this.#scene = scene;
    this.#tools = tools;
  }

  /** A pointer is over the rows, or drags them. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get hover(): number | undefined {
    return this.#hover;
  }

  receive(pointer: ScenePointer): void {
    switch (pointer.type) {
      case 'move':
        return this.#onMove(pointer);
      case 'down':
        return this.#onDown(pointer);
      case 'up':
        return this.#onUp(pointer);
      case 'leave':
        return this.#onLeave();
    }
  }

  turn({ by, isRows }: Extract<ToScene, { readonly kind: 'wheel' }>): void {
    const rowHeight = this.#scene.options.rowHeight;
    this.#wheel += isRows ? by * rowHeight : by;
    const rows = Math.trunc(this.#wheel / rowHeight);
    this.#wheel -= rows * rowHeight;
    const axis = this.#scene.frame?.axis;
    if (axis !== undefined) this.#scene.scrollTo(scrolled(axis, -rows));
  }

  /** The price whose menu is wanted; the press that was meant for the menu chooses nothing any more. */
  levelForMenu({ y, at }: Extract<ToScene, { readonly kind: 'menu' }>): LevelRef | undefined {
    this.#press = undefined;
    const frame = this.#scene.frameAt(at);
    const index = this.#indexAt(y, frame);
    return frame === undefined || index === undefined ? undefined : levelOfIndex(frame, index);
  }

  /** Looks up what is under the pointer: once per frame, however often it moves. */
  lookUp(): void {
    if (this.#at === undefined) return;
    const { x, y } = this.#at;
    this.#at = undefined;
    this.#tools.pointAt(this.#indexAt(y), x);
  }

  /** Nothing is under the pointer, or what is under it is unknown. */
  forget(): void {
    this.#at = undefined;
    this.#hover = undefined;
    this.#tools.leave(this.#scene.active);
  }

  #onMove(pointer: ScenePointer): void {
    const press = this.#press;
    if (press !== undefined && press.pointerId === pointer.pointerId) this.#drag(pointer, press);
    this.#isOver = true;
    this.#scene.extendHold();
    const isScrolling = press?.dragging === 'scroll';
    if (isScrolling) this.forget();
    else {
      this.#at = pointer;
      this.#hover = this.#slotAt(pointer.y);
    }
    this.#scene.redraw();
  }

  #drag({ y, pointerType }: ScenePointer, press: Press): void {
    const distance = y - press.y;
    if (press.dragging === undefined && Math.abs(distance) < DRAG_FROM) return;
    if (press.dragging === undefined) {
      const side = distance < 0 ? 'A' : 'B';
      const isOutward = press.best.includes(side);
      // A finger scrolls wherever else the drag starts.
      const sweeps = isOutward && (pointerType !== 'touch' || press.isHandle);
      const isBand = this.#tools.tool === 'ruler' || sweeps;
      press.dragging = isBand ? 'band' : 'scroll';
      // A locked book has both sides' best price in one row.
      if (isOutward && press.level !== undefined) press.level = { ...press.level, side };
      if (press.isHandle) press.level = this.#bestOf(side);
    }
    if (press.dragging === 'band' && press.level !== undefined) this.#dragBand(press.level, y);
    else {
      const rows = Math.round(distance / this.#scene.options.rowHeight);
      this.#scene.scrollTo({ ...scrolled(press.axis, rows), detached: true });
    }
  }

  #dragBand(from: LevelRef, y: number): void {
    const bottom = HEADING + ((this.#scene.frame?.slots ?? 1) - 1) * this.#scene.options.rowHeight;
    const index = this.#indexAt(Math.max(HEADING, Math.min(bottom, y)));
    if (index !== undefined) this.#tools.dragBand(from, index);
  }

  #onLeave(): void {
    this.#press = undefined;
    this.#isOver = false;
    this.forget();
    if (this.#tools.isSweeping) this.#tools.clearBand();
    this.#scene.reread();
  }

  #onDown({ pointerId, y, at }: ScenePointer): void {
    const frame = this.#scene.frameAt(at);
    if (frame === undefined) return;
    const index = this.#indexAt(y, frame);
    const { bid, ask } = frame.touch;
    const isHandle = this.#slotAt(y, frame) === barSlot(frame.axis);
    const best: Side[] = [];
    if (ask !== undefined && (isHandle || index === ask)) best.push('A');
    if (bid !== undefined && (isHandle || index === bid)) best.push('B');
    const level = index === undefined ? undefined : levelOfIndex(frame, index);
    this.#press = { pointerId, y, axis: frame.axis, level, best, isHandle, dragging: undefined };
  }

  #bestOf(side: Side): LevelRef | undefined {
    const frame = this.#scene.frame;
    const index = side === 'A' ? frame?.touch.ask : frame?.touch.bid;
    if (frame === undefined || index === undefined) return undefined;
    return { side, px: priceOfIndex(frame.grid, index), tick: frame.grid.tick };
  }

  #onUp({ pointerId, pointerType }: ScenePointer): void {
    const press = this.#press;
    if (press === undefined || press.pointerId !== pointerId) return;
    this.#press = undefined;
    if (press.dragging === 'band') this.#tools.endBand(false);
    else if (press.dragging === undefined && press.level !== undefined) this.#choose(press.level);
    // A lifted finger no longer points at anything; a mouse still does.
    if (pointerType !== 'mouse') this.#onLeave();
  }

  #choose(level: LevelRef): void {
    const grid = this.#scene.frame?.grid;
    const index = grid && indexHolding(grid, level.side, level.px);
    if (this.#tools.tool === 'scroll' || index === undefined) this.#scene.post({ kind: 'select', level });
    else this.#tools.measureTo(index, true);
  }

  #slotAt(y: number, frame = this.#scene.frame): number | undefined {
    const slot = Math.floor((y - HEADING) / this.#scene.options.rowHeight);
    return slot >= 0 && slot < (frame?.slots ?? 0) ? slot : undefined;
  }

  #indexAt(y: number, frame = this.#scene.frame): number | undefined {
    const slot = this.#slotAt(y, frame);
    return slot === undefined || frame === undefined ? undefined : indexAtSlot(frame.axis, slot);
  }
}
