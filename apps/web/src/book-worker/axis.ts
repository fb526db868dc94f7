/**
 * Which price stands in which row. The axis is contiguous: every multiple of the tick has a row, empty or not, and one
 * extra row, the divider, shows the spread. Rows move only for a reason the person gave (scroll, recentre, another
 * coin or tick) or, in the modes that follow the market, while nothing points at them (WEB-3). Pure: the worker places
 * the axis so that a frame is drawn in the place it was counted for, the page scrolls it.
 */

/** `auto` recentres when the market leaves the middle, `static` never, `mid` in every frame. */
export type Centring = 'auto' | 'static' | 'mid';

export const CENTRINGS = ['auto', 'static', 'mid'] as const satisfies readonly Centring[];

export interface Axis {
  /** The price index of the first row, counted as if it stood above the divider; below it, rows are one index higher. */
  readonly top: number;
  /** The divider stands directly below the row of this price index: everything from it up is ask side. */
  readonly divider: number;
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

/** Where the axis belongs for this market; undefined while there is none. Answers the same object when nothing moves. */
export function placeAxis(axis: Axis | undefined, touch: Touch, placement: Placement): Axis | undefined {
  const allowed = dividerRange(touch);
  if (allowed === undefined) return axis;
  if (axis === undefined || placement.recentre) return centred(allowed, placement.rows);
  if (placement.held) return axis;
  const divider = clamp(axis.divider, allowed.low, allowed.high);
  const moved = divider === axis.divider ? axis : { ...axis, divider };
  if (axis.detached || placement.mode === 'static') return moved;
  const slot = dividerSlot(moved);
  const middle = middleSlot(placement.rows);
  if (placement.mode === 'mid') return slot === middle ? moved : centred(allowed, placement.rows);
  const margin = Math.floor(placement.rows * MARGIN);
  const inside = slot >= margin && slot < placement.rows - margin;
  return inside ? moved : centred(allowed, placement.rows);
}

/** The axis moved by whole rows: positive shows higher prices. The person did this, so the market no longer pulls. */
export function scrolled(axis: Axis, rows: number): Axis {
  return rows === 0 ? axis : { ...axis, top: Math.max(0, axis.top + rows), detached: true };
}

/** The axis of a height that changed: the middle row keeps its place. */
export function resized(axis: Axis, from: number, to: number): Axis {
  const shift = middleSlot(to) - middleSlot(from);
  return shift === 0 ? axis : { ...axis, top: axis.top + shift };
}

/** The row the divider stands in; outside `0 … rows - 1` when the market is out of sight. */
export function dividerSlot(axis: Axis): number {
  return axis.top - axis.divider + 1;
}

/** The price index in a row; undefined in the divider's row and below zero. */
export function indexAtSlot(axis: Axis, slot: number): number | undefined {
  const at = dividerSlot(axis);
  if (slot === at) return undefined;
  const index = axis.top - slot + (slot > at ? 1 : 0);
  return index >= 0 ? index : undefined;
}

/** The row of a price index; outside `0 … rows - 1` when it is out of sight. */
export function slotOfIndex(axis: Axis, index: number): number {
  return axis.top - index + (index < axis.divider ? 1 : 0);
}

/** The side a price index is on, by the divider: this is what an empty row is called, a full one knows its side. */
export function sideOfIndex(axis: Axis, index: number): 'A' | 'B' {
  return index >= axis.divider ? 'A' : 'B';
}

/** How many rows the market is out of sight: positive above, negative below, 0 in sight. */
export function rowsToMarket(axis: Axis, rows: number): number {
  const slot = dividerSlot(axis);
  if (slot < 0) return -slot;
  return slot >= rows ? rows - 1 - slot : 0;
}

function dividerRange(touch: Touch): { readonly low: number; readonly high: number } | undefined {
  if (touch.bid === undefined && touch.ask === undefined) return undefined;
  const low = (touch.bid ?? (touch.ask ?? 0) - 1) + 1;
  const high = touch.ask ?? low;
  // Only a book that is not exact can be crossed; the divider then stands at the bid.
  return { low, high: Math.max(low, high) };
}

function centred(allowed: { readonly low: number; readonly high: number }, rows: number): Axis {
  const divider = Math.ceil((allowed.low + allowed.high) / 2);
  return { top: Math.max(0, divider - 1 + middleSlot(rows)), divider, detached: false };
}

const middleSlot = (rows: number) => Math.floor(rows / 2);

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
