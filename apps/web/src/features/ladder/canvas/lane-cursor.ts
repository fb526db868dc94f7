import type { LadderFrame } from '../../../book-worker/ladder-frame.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { rowOfIndex } from './frame-rows.ts';
import type { LanePlace, LaneTarget, SceneParts } from './scene-types.ts';

/** Position of an order's row on the canvas. */
export type LanePosition = Pick<LaneTarget, 'y' | 'rowHeight' | 'x' | 'touch' | 'sizeDecimals'>;

interface Pointed extends Pick<LaneTarget, 'serial' | 'level' | 'by' | 'count' | 'order'> {
  readonly at: LanePlace;
  /** It is looked for by its oid; undefined if no order had the place. */
  readonly oid: number | undefined;
}

/**
 * The order of a lane under the pointer or the keyboard cursor. It is followed by its oid as the queue in front of it moves, so
 * that the readout stays on one order until another is pointed at.
 */
export class LaneCursor {
  readonly #scene: SceneParts;
  #pointed: Pointed | undefined;
  #serial = 0;
  #posted = '';

  constructor(scene: SceneParts) {
    this.#scene = scene;
  }

  get order(): LanePlace | undefined {
    return this.#pointed?.at;
  }

  /** The row and oid of the order; undefined if there is none. */
  get chosen(): { readonly level: LevelRef; readonly oid: number } | undefined {
    const { level, order } = this.#pointed ?? {};
    return level === undefined || !order ? undefined : { level, oid: order.oid };
  }

  get by(): LaneTarget['by'] | undefined {
    return this.#pointed?.by;
  }

  /** Points at an order; returns whether it is another one than before. */
  point(at: LanePlace, level: LevelRef, by: LaneTarget['by']): boolean {
    const last = this.#pointed;
    const isSame = last?.at.index === at.index && last.at.side === at.side && last.at.place === at.place;
    if (isSame && last.by === by) return false;
    this.#serial += 1;
    const found = this.#scene.book.lane(level, { place: at.place, oid: undefined });
    const { count = 0, order = null } = found ?? {};
    this.#pointed = { serial: this.#serial, level, by, at, oid: order?.oid, count, order };
    return true;
  }

  /** Clears the order; returns whether there was one. */
  clear(): boolean {
    if (this.#pointed === undefined) return false;
    this.#pointed = undefined;
    this.#posted = '';
    this.#scene.post({ kind: 'lane', lane: undefined });
    return true;
  }

  /** The rows are about to be drawn: looks where the order is now. */
  follow(): void {
    const last = this.#pointed;
    if (last?.oid === undefined) return;
    const found = this.#scene.book.lane(last.level, { place: last.at.place, oid: last.oid });
    if (found === undefined) return;
    const at = found.order === null ? last.at : { ...last.at, place: found.order.place };
    this.#pointed = { ...last, ...found, at };
  }

  /** Reports the order and its position on the canvas, if that changed. */
  show(position: LanePosition | undefined): void {
    if (this.#pointed === undefined || position === undefined) return;
    const { serial, level, by, count, order } = this.#pointed;
    const ageMs = order === null || order.timestamp === 0 ? undefined : this.#scene.book.clock() - order.timestamp;
    const seconds = ageMs === undefined ? undefined : Math.floor(ageMs / 1_000) * 1_000;
    const lane: LaneTarget = { serial, level, by, count, order, ageMs: seconds, ...position };
    const text = JSON.stringify(lane);
    if (text === this.#posted) return;
    this.#posted = text;
    this.#scene.post({ kind: 'lane', lane });
  }
}

/** The next order of a row's queue for the keyboard; undefined if the row has none. */
export function nextInLane(
  frame: LadderFrame,
  index: number,
  last: LanePlace | undefined,
  by: number,
): LanePlace | undefined {
  const row = rowOfIndex(frame, index);
  if (row === undefined || row.count === 0) return undefined;
  const { side, count } = row;
  const isHere = last !== undefined && last.index === index && last.side === side;
  const place = isHere ? Math.min(count - 1, Math.max(0, last.place + by)) : by > 0 ? 0 : count - 1;
  return { index, side, place };
}
