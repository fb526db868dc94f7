import type { Side } from '@l4desk/protocol';
import { type Axis, indexAtSlot, scrolled } from '../../../book-worker/axis.ts';
import type { LadderFrame } from '../../../book-worker/frame/read-frame.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { indexHolding } from '../../../book-worker/prices.ts';
import { levelOfIndex } from './frame-rows.ts';
import { HEADING } from './paint-lines.ts';
import type { PaneTools } from './pane-tools.ts';
import type { PaneOptions } from './pane-types.ts';
import type { DragKind, PointerTarget } from './pointer.ts';

interface RowPointingDeps {
  readonly tools: PaneTools;
  /** Undefined while nothing is drawn. */
  frame(): LadderFrame | undefined;
  options(): PaneOptions;
  /** The keyboard's row. */
  active(): number | undefined;
  /** A pointer moved over the rows: they stay in place for a while. */
  hold(): void;
  /** The pointer has left the rows. */
  onLeave(): void;
  /** Another row is under the pointer. */
  onHover(): void;
  /** What is under the pointer needs to be looked up before the next frame. */
  schedule(): void;
  select(level: LevelRef): void;
  scrollTo(axis: Axis): void;
  scroll(rows: number): void;
}

/** Handles the pointer on the rows: which row it is over, and what pressing, dragging and scrolling do there. */
export class RowPointing implements PointerTarget {
  readonly #deps: RowPointingDeps;
  #isOver = false;
  #hover: number | undefined;
  /** The pointer's position, until what is there has been looked up. */
  #at: { readonly x: number; readonly y: number } | undefined;

  constructor(deps: RowPointingDeps) {
    this.#deps = deps;
  }

  /** A pointer is over the rows, or drags them. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The row under it. */
  get hover(): number | undefined {
    return this.#hover;
  }

  /** Looks up what is under the pointer: once per frame, however often it moves. */
  lookUp(): void {
    if (this.#at === undefined) return;
    const { x, y } = this.#at;
    this.#at = undefined;
    this.#deps.tools.pointAt(this.#indexAt(y), x);
  }

  /** Nothing is under the pointer, or what is under it is unknown. */
  forget(): void {
    this.#at = undefined;
    this.#hover = undefined;
    this.#deps.tools.leave(this.#deps.active());
  }

  rowHeight(): number {
    return this.#deps.options().rowHeight;
  }

  axis(): Axis | undefined {
    return this.#deps.frame()?.axis;
  }

  levelAt(y: number): LevelRef | undefined {
    const frame = this.#deps.frame();
    const index = this.#indexAt(y);
    return frame === undefined || index === undefined ? undefined : levelOfIndex(frame, index);
  }

  onPoint(at: { readonly x: number; readonly y: number } | undefined): void {
    this.#isOver = true;
    this.#deps.hold();
    if (at === undefined) this.forget();
    this.#at = at;
    this.#deps.schedule();
    const slot = at && this.#slotAt(at.y);
    if (slot === this.#hover) return;
    this.#hover = slot;
    this.#deps.onHover();
  }

  onLeave(): void {
    const { tools } = this.#deps;
    this.#isOver = false;
    this.forget();
    if (tools.isSweeping) tools.clearBand();
    this.#deps.onLeave();
  }

  onChoose(level: LevelRef): void {
    const grid = this.#deps.frame()?.grid;
    const index = grid && indexHolding(grid, level.side, level.px);
    if (this.#deps.tools.tool === 'scroll' || index === undefined) this.#deps.select(level);
    else this.#deps.tools.measureTo(index, true);
  }

  bestAt(y: number): readonly Side[] {
    const { bid, ask } = this.#deps.frame()?.touch ?? {};
    const index = this.#indexAt(y);
    if (index === undefined) return [];
    return [...(index === ask ? (['A'] as const) : []), ...(index === bid ? (['B'] as const) : [])];
  }

  dragKind(isOutward: boolean, pointerType: string): DragKind {
    if (this.#deps.tools.tool === 'ruler') return 'band';
    // A finger always scrolls, wherever the drag starts.
    return isOutward && pointerType !== 'touch' ? 'band' : 'scroll';
  }

  onDrag(from: Axis, rows: number): void {
    this.#deps.scrollTo({ ...scrolled(from, rows), detached: true });
  }

  onBand(from: LevelRef, y: number): void {
    const bottom = HEADING + ((this.#deps.frame()?.slots ?? 1) - 1) * this.rowHeight();
    const index = this.#indexAt(Math.max(HEADING, Math.min(bottom, y)));
    if (index !== undefined) this.#deps.tools.dragBand(from, index);
  }

  onBandEnd(): void {
    this.#deps.tools.endBand(false);
  }

  onWheel(rows: number): void {
    this.#deps.scroll(rows);
  }

  #slotAt(y: number): number | undefined {
    const slot = Math.floor((y - HEADING) / this.rowHeight());
    return slot >= 0 && slot < (this.#deps.frame()?.slots ?? 0) ? slot : undefined;
  }

  #indexAt(y: number): number | undefined {
    const frame = this.#deps.frame();
    const slot = this.#slotAt(y);
    return slot === undefined || frame === undefined ? undefined : indexAtSlot(frame.axis, slot);
  }
}
