import type { LadderFrame } from '../../../book-worker/frame/read-frame.ts';
import type { LadderFeed } from '../../../book-worker/ladder-feed.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import type { LaneOrder, LaneTarget } from './pane-types.ts';

/** Position of an order's row on the canvas. */
export type LanePlace = Pick<LaneTarget, 'y' | 'rowHeight' | 'x' | 'touch'>;

/**
 * The order of a lane under the pointer or the keyboard cursor. It is followed by its oid as the queue in front of it moves, so
 * that the readout stays on one order until another is pointed at.
 */
export class LaneCursor {
  readonly #live: LadderFeed;
  readonly #tell: (target: LaneTarget | undefined) => void;
  #order: LaneOrder | undefined;
  #asked: Pick<LaneTarget, 'serial' | 'level' | 'by'> | undefined;
  #oid: number | undefined;
  #told = '';

  constructor(live: LadderFeed, tell: (target: LaneTarget | undefined) => void) {
    this.#live = live;
    this.#tell = tell;
  }

  get order(): LaneOrder | undefined {
    return this.#order;
  }

  /** The row and oid of the order; undefined before the worker has identified it, and once it has left. */
  get chosen(): { readonly level: LevelRef; readonly oid: number } | undefined {
    return this.#asked === undefined || this.#oid === undefined
      ? undefined
      : { level: this.#asked.level, oid: this.#oid };
  }

  get by(): LaneTarget['by'] | undefined {
    return this.#asked?.by;
  }

  /** Points at an order; returns whether it is another one than before. */
  point(order: LaneOrder | undefined, level: LevelRef, by: LaneTarget['by']): boolean {
    if (order === undefined) return this.clear();
    const { index, side, place } = order;
    const last = this.#order;
    if (last?.index === index && last.side === side && last.place === place && this.#asked?.by === by) return false;
    this.#order = order;
    this.#oid = undefined;
    this.#asked = { serial: this.#live.nextSerial(), level, by };
    this.#live.wantLane({ serial: this.#asked.serial, level, place });
    return true;
  }

  /** Clears the order; returns whether there was one. */
  clear(): boolean {
    if (this.#asked === undefined) return false;
    this.#order = undefined;
    this.#asked = undefined;
    this.#oid = undefined;
    this.#told = '';
    this.#live.wantLane(undefined);
    this.#tell(undefined);
    return true;
  }

  /** A frame is about to be drawn: updates the order's place from it. */
  follow(panes: PanesFrame | undefined): void {
    const response = panes?.lane ?? this.#live.lane();
    if (this.#order === undefined || response === undefined || response.serial !== this.#asked?.serial) return;
    this.#oid = response.order?.oid;
    if (response.order !== null) this.#order = { ...this.#order, place: response.order.place };
  }

  /** Reports its position on the canvas if that changed. */
  show(place: LanePlace | undefined): void {
    if (this.#asked === undefined || place === undefined) return;
    const target = { ...this.#asked, ...place };
    const told = JSON.stringify(target);
    if (told === this.#told) return;
    this.#told = told;
    this.#tell(target);
  }
}

/** The next order of a row's queue for the keyboard; undefined if the row has none. */
export function nextInLane(
  frame: LadderFrame,
  row: number,
  last: LaneOrder | undefined,
  by: number,
): LaneOrder | undefined {
  const [index, side, count] = [frame.index(row), frame.side(row), frame.count(row)];
  if (count === 0) return undefined;
  const isHere = last !== undefined && last.index === index && last.side === side;
  const place = isHere ? Math.min(count - 1, Math.max(0, last.place + by)) : by > 0 ? 0 : count - 1;
  return { index, side, place };
}
