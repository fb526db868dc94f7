import { slotOfIndex } from '../../../book-worker/axis.ts';
import type { LadderFrame } from '../../../book-worker/ladder-frame.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { indexHolding, priceOfIndex } from '../../../book-worker/prices.ts';
import { levelOfIndex, rowOfIndex } from './frame-rows.ts';
import { lanePlaceAt } from './lane.ts';
import { LaneCursor, type LanePosition, nextInLane } from './lane-cursor.ts';
import { HEADING } from './paint-lines.ts';
import type { Band, BandPrices, LanePlace, SceneParts, SceneTool } from './scene-types.ts';

export class SceneTools {
  readonly #scene: SceneParts;
  readonly #lane: LaneCursor;
  #tool: SceneTool = 'scroll';
  #band: Band | undefined;
  /** The ruler has one end; the other follows the pointer. */
  #isOpen = false;
  #posted: BandPrices | undefined;
  #crosshair: string | undefined;

  constructor(scene: SceneParts) {
    this.#scene = scene;
    this.#lane = new LaneCursor(scene);
  }

  get marks(): { readonly lane: LanePlace | undefined; readonly band: Band | undefined } {
    return { lane: this.#lane.order, band: this.#band };
  }

  /** The lane order that the keyboard is on. */
  get chosen(): { readonly level: LevelRef; readonly oid: number } | undefined {
    return this.#lane.by === 'keyboard' ? this.#lane.chosen : undefined;
  }

  get tool(): SceneTool {
    return this.#tool;
  }

  /** Turns the ruler on, starting at the keyboard's row if there is one, or off. */
  toggleRuler(active: number | undefined): void {
    this.#setBand(undefined);
    this.#setTool(this.#tool === 'ruler' ? 'scroll' : 'ruler');
    if (this.#tool === 'ruler' && active !== undefined) this.measureTo(active);
  }

  get isSweeping(): boolean {
    return this.#band?.kind === 'sweep';
  }

  /** A frame is about to be drawn. */
  follow(): void {
    this.#lane.follow();
  }

  /** A frame was drawn: reports the new position of what is pointed at, and what a sweep takes now. */
  drawn(): void {
    this.#lane.show(this.#lanePosition());
    const frame = this.#scene.frame;
    const band = this.#band;
    if (frame === undefined || band?.kind !== 'sweep') return;
    this.#setBand(sweepBand(frame, band.side, band.to) ?? band);
    this.#tellBand();
  }

  /** The pointer is at this row, at `x`. */
  pointAt(index: number | undefined, x: number): void {
    this.crosshair(index);
    if (this.#isOpen && index !== undefined) this.measureTo(index);
    const found = this.#orderAt(index, x);
    if (found !== undefined) {
      if (this.#lane.point(found.order, found.level, 'pointer')) this.#scene.redraw();
      // The pointer takes over from the keyboard only when it is on an order.
    } else if (this.#lane.by === 'pointer' && this.#lane.clear()) this.#scene.redraw();
  }

  /** The pointer left; the crosshair returns to the keyboard's row. */
  leave(active: number | undefined): void {
    if (this.#lane.by === 'pointer') this.#lane.clear();
    this.crosshair(active);
  }

  crosshair(index: number | undefined): void {
    const grid = this.#scene.frame?.grid;
    const px = grid === undefined || index === undefined ? undefined : priceOfIndex(grid, index);
    if (px === this.#crosshair) return;
    this.#crosshair = px;
    this.#scene.post({ kind: 'crosshair', px });
  }

  /** Moves through the orders of a row: 1 to the back of the queue, -1 to its front. Returns false if the row has none. */
  moveInLane(index: number | undefined, by: number): boolean {
    const frame = this.#scene.frame;
    if (frame === undefined || index === undefined || this.#scene.options.isAlone) return false;
    const last = this.#lane.by === 'keyboard' ? this.#lane.order : undefined;
    const order = nextInLane(frame, index, last, by);
    if (order === undefined) return false;
    this.#lane.point(order, levelOfIndex(frame, order.index), 'keyboard');
    return true;
  }

  leaveLane(): void {
    if (this.#lane.clear()) this.#scene.redraw();
  }

  /** Extends the sweep by one row from the best price: 1 up, -1 down. Returns the index where it ends. */
  moveSweep(by: 1 | -1): number | undefined {
    const frame = this.#scene.frame;
    const band = frame && nextSweep(frame, this.#band, by);
    if (band === undefined) return undefined;
    this.#setBand(band);
    this.endBand(true);
    return band.to;
  }

  /** A drag extends a band from a price to the row at `index`. */
  dragBand(from: LevelRef, index: number): void {
    const frame = this.#scene.frame;
    const begun = frame && indexHolding(frame.grid, from.side, from.px);
    if (frame === undefined || begun === undefined) return;
    const isRuler = this.#tool === 'ruler';
    const { side } = from;
    this.#setBand(isRuler ? { kind: 'ruler', side, from: begun, to: index } : sweepBand(frame, side, index));
  }

  /** Turns the ruler on, starting at a price. Returns the index of its row, if that is known. */
  measureFrom({ side, px }: LevelRef): number | undefined {
    const grid = this.#scene.frame?.grid;
    const index = grid && indexHolding(grid, side, px);
    if (index === undefined) return undefined;
    this.#setBand(undefined);
    this.#setTool('ruler');
    this.measureTo(index, true);
    return index;
  }

  /**
   * Moves the ruler's other end. The first price starts it, and so does a press on a ruler that has both ends. After a press that
   * starts it, the other end follows the pointer until the next press.
   */
  measureTo(to: number, isPress = false): void {
    const frame = this.#scene.frame;
    const last = this.#band?.kind === 'ruler' ? this.#band : undefined;
    const isOver = isPress && !this.#isOpen && last !== undefined && last.from !== last.to;
    const from = last === undefined || isOver ? to : last.from;
    if (isPress) this.#isOpen = last === undefined || isOver;
    const side = frame === undefined ? 'B' : levelOfIndex(frame, from).side;
    this.#setBand({ kind: 'ruler', side, from, to });
  }

  /** Ends a drawn sweep; the band stays if `isKept`. */
  endBand(isKept: boolean): void {
    const frame = this.#scene.frame;
    if (frame === undefined || this.#band?.kind !== 'sweep') return;
    this.#scene.post({ kind: 'sweep', sweep: bandPrices(frame, this.#band) });
    if (!isKept) this.#setBand(undefined);
  }

  clearBand(): void {
    this.#setBand(undefined);
  }

  /** Clears the keyboard's order, or the band and the ruler; returns false if there is none of them. */
  escape(): boolean {
    if (this.#lane.by === 'keyboard') {
      this.leaveLane();
      return true;
    }
    if (this.#band === undefined && this.#tool === 'scroll') return false;
    this.clearBand();
    this.#setTool('scroll');
    return true;
  }

  /** Clears everything: other rows are coming. */
  forget(): void {
    this.#lane.clear();
    this.#setBand(undefined);
    this.crosshair(undefined);
  }

  #orderAt(index: number | undefined, x: number): { readonly order: LanePlace; readonly level: LevelRef } | undefined {
    const frame = this.#scene.frame;
    const layout = this.#scene.layout;
    const { isAlone, choice } = this.#scene.options;
    if (frame === undefined || layout === undefined || index === undefined || isAlone) return undefined;
    const row = rowOfIndex(frame, index);
    const place = row === undefined ? undefined : lanePlaceAt(frame, row, layout, choice.bars, x);
    if (row === undefined || place === undefined) return undefined;
    return { order: { index, side: row.side, place }, level: levelOfIndex(frame, index) };
  }

  /** Position of the lane order's row, and of the visible rows of the best prices. */
  #lanePosition(): LanePosition | undefined {
    const { order } = this.#lane;
    const frame = this.#scene.frame;
    const layout = this.#scene.layout;
    if (order === undefined || frame === undefined || layout === undefined) return undefined;
    const { axis, slots, touch, sizeDecimals } = frame;
    const { rowHeight } = this.#scene.options;
    const top = (index: number) => HEADING + slotOfIndex(axis, index) * rowHeight;
    const { lane } = order.side === 'A' ? layout.columns.asks : layout.columns.bids;
    const best = [touch.ask, touch.bid]
      .filter((index) => index !== undefined)
      .map(top)
      .filter((y) => y >= HEADING && y < HEADING + slots * rowHeight);
    return {
      y: top(order.index),
      rowHeight,
      x: lane?.x ?? 0,
      sizeDecimals,
      touch: best.length === 0 ? undefined : { top: Math.min(...best), bottom: Math.max(...best) + rowHeight },
    };
  }

  #setTool(tool: SceneTool): void {
    if (tool === this.#tool) return;
    this.#tool = tool;
    this.#scene.post({ kind: 'tool', tool });
  }

  #setBand(band: Band | undefined): void {
    const last = this.#band;
    const isSame = last?.kind === band?.kind && last?.side === band?.side;
    if (isSame && last?.from === band?.from && last?.to === band?.to) return;
    this.#band = band;
    if (band === undefined) this.#isOpen = false;
    this.#tellBand();
    this.#scene.redraw();
  }

  /** Reports the prices of the band and what a sweep of it takes, if that is not what was reported last. */
  #tellBand(): void {
    const frame = this.#scene.frame;
    const prices = this.#band && frame && bandPrices(frame, this.#band);
    if (isSameBand(prices, this.#posted)) return;
    this.#posted = prices;
    this.#scene.post({ kind: 'band', band: prices });
  }
}

function isSameBand(a: BandPrices | undefined, b: BandPrices | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const isSameLevel = (one: LevelRef, other: LevelRef) =>
    one.px === other.px && one.side === other.side && one.tick === other.tick;
  return a.kind === b.kind && a.sz === b.sz && isSameLevel(a.from, b.from) && isSameLevel(a.to, b.to);
}

function bandPrices(frame: LadderFrame, { kind, side, from, to }: Band): BandPrices {
  const level = (index: number) => ({ ...levelOfIndex(frame, index), side });
  return { kind, from: level(from), to: level(to), sz: kind === 'sweep' ? restingUpTo(frame, side, to) : '0' };
}

/**
 * The size that rests on a side from its best price up to a row: the cumulative size at the last row with orders that is not
 * beyond it.
 */
function restingUpTo(frame: LadderFrame, side: Band['side'], to: number): BandPrices['sz'] {
  let sz: BandPrices['sz'] = '0';
  for (const row of frame.rows) {
    if (row.side !== side) continue;
    if (side === 'A' ? row.index > to : row.index < to) break;
    sz = row.cumSz;
  }
  return sz;
}

/** The band of a sweep up to a row. It starts at the best price of its side and never crosses it. */
function sweepBand({ touch }: LadderFrame, side: Band['side'], to: number): Band | undefined {
  const from = side === 'A' ? touch.ask : touch.bid;
  if (from === undefined) return undefined;
  return { kind: 'sweep', side, from, to: side === 'A' ? Math.max(from, to) : Math.min(from, to) };
}

/**
 * The next band of a keyboard sweep after `last`: one row with orders further up or down. Up from the best ask buys, down from
 * the best bid sells; back at the best price it turns to the other side.
 */
function nextSweep(frame: LadderFrame, last: Band | undefined, by: 1 | -1): Band | undefined {
  const outward = by === 1 ? 'A' : 'B';
  const sweep = last?.kind === 'sweep' ? last : undefined;
  const isTurning = sweep?.side !== outward && sweep?.from === sweep?.to;
  if (sweep === undefined || isTurning) return sweepBand(frame, outward, touchOf(frame, outward));
  return sweepBand(frame, sweep.side, step(frame, sweep, by));
}

const touchOf = ({ touch }: LadderFrame, side: Band['side']) => (side === 'A' ? touch.ask : touch.bid) ?? 0;

function step(frame: LadderFrame, { side, to }: Band, by: 1 | -1): number {
  let found: number | undefined;
  for (const { index, side: of } of frame.rows) {
    if (of !== side || (index - to) * by <= 0) continue;
    if (found === undefined || (found - index) * by > 0) found = index;
  }
  return found ?? to + by;
}
