/**
 * Which price stands in which row. The axis is contiguous: every multiple of the tick has a row, empty or not; the spread
 * is drawn over it, where the best prices are. Rows move only for a reason the person gave (scroll, recentre, another coin
 * or tick) or, in the modes that follow the market, while nothing points at them (WEB-3). Pure: the worker places the axis
 * so that a frame is drawn in the place it was counted for, the page scrolls it.
 */

/** `auto` recentres when the market leaves the middle half, `mid` when it leaves the middle rows, `static` never. */
export type Centring = 'auto' | 'static' | 'mid';

export const CENTRINGS = ['auto', 'static', 'mid'] as const satisfies readonly Centring[];

export interface Axis {
  /** The price index of the first row. */
  readonly top: number;
  /** The person scrolled away from the market: nothing but a recentre brings it back. */
  readonly detached: boolean;
}

/** The best prices as rows of the grid; a side without orders is undefined. */
export interface Touch {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
}

export interface Placement {
  readonly rows: number;
  readonly mode: Centring;
  /** A pointer or a keyboard cursor is on the rows. */
  readonly held: boolean;
  /** Asked for by the person: overrules everything. */
  readonly recentre: boolean;
}

/** The part of the height, at the top and at the bottom, that the market must not enter in mode `auto`. */
const MARGIN = 0.25;

/** Rows that the market may stray from the middle in mode `mid`, so that the ladder does not shake with each tick. */
const MID_BAND = 2;

/** Where the axis belongs for this market; undefined while there is none. Returns the same object when nothing moves. */
export function placeAxis(axis: Axis | undefined, touch: Touch, placement: Placement): Axis | undefined {
  const market = marketIndex(touch);
  if (market === undefined) return axis;
  const { rows, mode } = placement;
  const middle = centred(market, rows);
  if (axis === undefined || placement.recentre) return middle;
  if (placement.held || axis.detached || mode === 'static') return axis;
  const strayed = Math.abs(axis.top - middle.top);
  const band = mode === 'mid' ? MID_BAND : Math.floor(rows / 2) - Math.floor(rows * MARGIN);
  return strayed <= band ? axis : middle;
}

/** The axis moved by whole rows: positive shows higher prices. The person did this, so the market no longer pulls. */
export function scrolled(axis: Axis, rows: number): Axis {
  return rows === 0 ? axis : { top: Math.max(0, axis.top + rows), detached: true };
}

/** The axis with a price in the middle row, as if scrolled there. */
export function showing(index: number, rows: number): Axis {
  return { top: Math.max(0, index + Math.floor(rows / 2)), detached: true };
}

/** The axis of a height that changed: the middle row keeps its place. */
export function resized(axis: Axis, from: number, to: number): Axis {
  const shift = Math.floor(to / 2) - Math.floor(from / 2);
  return shift === 0 ? axis : { ...axis, top: axis.top + shift };
}

/** The price index in a row; undefined below zero. */
export function indexAtSlot(axis: Axis, slot: number): number | undefined {
  const index = axis.top - slot;
  return index >= 0 ? index : undefined;
}

/** The row of a price index; outside `0 … rows - 1` when it is out of sight. */
export function slotOfIndex(axis: Axis, index: number): number {
  return axis.top - index;
}

/** The side that a price without orders is on: between the best prices that of the nearer one. */
export function sideOfIndex({ bid, ask }: Touch, index: number): 'A' | 'B' {
  if (ask === undefined) return bid === undefined || index > bid ? 'A' : 'B';
  if (bid === undefined) return index >= ask ? 'A' : 'B';
  return 2 * index >= bid + ask ? 'A' : 'B';
}

/** How many rows a price is out of sight: positive above, negative below, 0 in sight. */
export function rowsOutOfSight(axis: Axis, rows: number, index: number): number {
  const slot = slotOfIndex(axis, index);
  if (slot < 0) return -slot;
  return slot >= rows ? rows - 1 - slot : 0;
}

/** The middle between the best prices, or the one there is. */
function marketIndex({ bid, ask }: Touch): number | undefined {
  if (bid === undefined || ask === undefined) return bid ?? ask;
  return (bid + ask) / 2;
}

function centred(market: number, rows: number): Axis {
  return { top: Math.max(0, Math.ceil(market) - 1 + Math.floor(rows / 2)), detached: false };
}
