/**
 * Maps prices to rows. The axis is contiguous: every multiple of the tick has a row, empty or not; the spread is drawn over the
 * rows between the best prices. Rows move only when the person causes it (scroll, recentre, another coin or tick) or, in the
 * modes that follow the market, while nothing points at them. Pure functions: the worker places the axis, so that a frame
 * is drawn where it was computed for; the page scrolls it.
 */

/** `auto` recentres when the market leaves the middle half, `mid` when it leaves the middle rows, `static` never. */
export type Centring = 'auto' | 'static' | 'mid';

export const CENTRINGS = ['auto', 'static', 'mid'] as const satisfies readonly Centring[];

export interface Axis {
  /** The price index of the first row. */
  readonly top: number;
  /** The person scrolled away from the market: only a recentre brings the axis back. */
  readonly detached: boolean;
}

/** The best prices as price indices on the grid; undefined for a side without orders. */
export interface Touch {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
}

export interface Placement {
  readonly rows: number;
  readonly mode: Centring;
  /** A pointer or a keyboard cursor is on the rows, so they must not move. */
  readonly held: boolean;
  /** Requested by the person: overrides everything else. */
  readonly recentre: boolean;
}

/** Share of the height, at the top and at the bottom, that the market must not enter in mode `auto`. */
const MARGIN = 0.25;

/** Rows that the market may drift from the middle in mode `mid`, so that the ladder does not shake with each tick. */
const MID_BAND = 2;

/** Returns the axis for this market; undefined while there is none. Returns the same object when nothing moves. */
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

/**
 * Returns the axis moved by whole rows: positive shows higher prices. The person did this, so the axis no longer follows the
 * market.
 */
export function scrolled(axis: Axis, rows: number): Axis {
  return rows === 0 ? axis : { top: Math.max(0, axis.top + rows), detached: true };
}

/** Returns the axis with a price in the middle row, as if the person had scrolled there. */
export function showing(index: number, rows: number): Axis {
  return { top: Math.max(0, index + Math.floor(rows / 2)), detached: true };
}

/** Returns the axis after the height changed from `from` to `to` rows: the middle row keeps its price. */
export function resized(axis: Axis, from: number, to: number): Axis {
  const shift = Math.floor(to / 2) - Math.floor(from / 2);
  return shift === 0 ? axis : { ...axis, top: axis.top + shift };
}

/** The price index in a row; undefined below zero. */
export function indexAtSlot(axis: Axis, slot: number): number | undefined {
  const index = axis.top - slot;
  return index >= 0 ? index : undefined;
}

/** The row of a price index; outside `0 … rows - 1` when it is not visible. */
export function slotOfIndex(axis: Axis, index: number): number {
  return axis.top - index;
}

/** The side of a price without orders; between the best prices, the side of the nearer one. */
export function sideOfIndex({ bid, ask }: Touch, index: number): 'A' | 'B' {
  if (ask === undefined) return bid === undefined || index > bid ? 'A' : 'B';
  if (bid === undefined) return index >= ask ? 'A' : 'B';
  return 2 * index >= bid + ask ? 'A' : 'B';
}

/** How many rows a price is outside the visible range: positive above, negative below, 0 when visible. */
export function rowsOutOfSight(axis: Axis, rows: number, index: number): number {
  const slot = slotOfIndex(axis, index);
  if (slot < 0) return -slot;
  return slot >= rows ? rows - 1 - slot : 0;
}

/** The midpoint of the best prices, or the only one there is. */
function marketIndex({ bid, ask }: Touch): number | undefined {
  if (bid === undefined || ask === undefined) return bid ?? ask;
  return (bid + ask) / 2;
}

function centred(market: number, rows: number): Axis {
  return { top: Math.max(0, Math.ceil(market) - 1 + Math.floor(rows / 2)), detached: false };
}
