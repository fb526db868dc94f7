/**
 * Maps prices to rows. The axis is contiguous: every multiple of the tick has a row, empty or not; between the best prices is one
 * more, the bar with the mid. Rows move only when the person causes it (scroll, recentre, another coin or tick) or, in the
 * modes that follow the market, while nothing points at them. Pure functions: the worker places the axis, so that a frame
 * is drawn where it was computed for; the page scrolls it.
 */

/** `auto` recentres when the market leaves the middle half, `mid` when it leaves the middle rows, `static` never. */
export type Centring = 'auto' | 'static' | 'mid';

export const CENTRINGS = ['auto', 'static', 'mid'] as const satisfies readonly Centring[];

export interface Axis {
  /** The price index of the first row; one less while the bar is above it. */
  readonly top: number;
  /** The bar is above the row of this price index. */
  readonly bar: number;
  /** The person scrolled away from the market: only a recentre brings the axis back. */
  readonly detached: boolean;
  /** The last move after the market: its rows, up is positive, and when, in ms. */
  readonly step?: { readonly by: number; readonly at: number };
}

/** The best prices as price indices on the grid; undefined for a side without orders. */
export interface Touch {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
}

export interface Placement {
  readonly rows: number;
  readonly mode: Centring;
  readonly held: boolean;
  readonly recentre: boolean;
  /** On any clock, in ms. */
  readonly now: number;
}

/** Share of the height, at the top and at the bottom, that the market must not enter in mode `auto`. */
const MARGIN = 0.25;

/** Rows that the market may drift from the middle in mode `mid`, so that the ladder does not shake with each tick. */
const MID_BAND = 2;

/** Rows that the axis moves at once while the market is in view, so that the eye can follow. */
const STEP_MAX = 3;

/** A market in view is not followed back within this time, in ms: if it swings, the rows would move for nothing. */
const TURN_AFTER_MS = 2_000;

/** Returns the axis for this market; undefined while there is none. Returns the same object when nothing moves. */
export function placeAxis(axis: Axis | undefined, touch: Touch, placement: Placement): Axis | undefined {
  const bar = barIndex(touch);
  if (bar === undefined) return axis;
  const { rows, mode, now } = placement;
  const middle = { top: Math.max(0, bar + Math.floor(rows / 2)), bar, detached: false };
  if (axis === undefined || placement.recentre) return middle;
  if (placement.held) return axis;
  const still = axis.bar === bar ? axis : { ...axis, bar };
  if (axis.detached || mode === 'static') return still;
  const strayed = middle.top - axis.top;
  const band = mode === 'mid' ? MID_BAND : Math.floor(rows / 2) - Math.floor(rows * MARGIN);
  if (Math.abs(strayed) <= band) return still;
  if (rowsOutOfSight(axis, rows, bar) !== 0) return { ...middle, step: { by: strayed, at: now } };
  const by = Math.max(-STEP_MAX, Math.min(STEP_MAX, strayed));
  if (axis.step !== undefined && by * axis.step.by < 0 && now - axis.step.at < TURN_AFTER_MS) return still;
  return { ...still, top: axis.top + by, step: { by, at: now } };
}

/** Time from one move after the market to the next, in ms. */
const STEP_MS = 67;

/** After how many ms an axis that was placed at `now` may have to move on, even if the market rests; undefined if it need not. */
export function movesOnAfter({ step }: Axis, now: number): number | undefined {
  if (step === undefined) return undefined;
  const wait = step.at === now ? STEP_MS : step.at + TURN_AFTER_MS - now;
  return wait > 0 ? wait : undefined;
}

/**
 * Returns the axis moved by whole rows: positive shows higher prices. The person did this, so the axis no longer follows the
 * market.
 */
export function scrolled(axis: Axis, rows: number): Axis {
  return rows === 0 ? axis : { ...axis, top: Math.max(0, axis.top + rows), detached: true };
}

/** Returns the axis with a price in the middle row, as if the person had scrolled there. */
export function showing(axis: Axis, index: number, rows: number): Axis {
  const top = index + Math.floor(rows / 2) - (index <= axis.bar ? 1 : 0);
  return { ...axis, top: Math.max(0, top), detached: true };
}

/** Returns the axis after the height changed from `from` to `to` rows: the middle row keeps its price. */
export function resized(axis: Axis, from: number, to: number): Axis {
  const shift = Math.floor(to / 2) - Math.floor(from / 2);
  return shift === 0 ? axis : { ...axis, top: axis.top + shift };
}

export const barSlot = ({ top, bar }: Axis): number => top - bar;

/** The price index in a row; undefined for the bar, and below zero. */
export function indexAtSlot(axis: Axis, slot: number): number | undefined {
  const bar = barSlot(axis);
  const index = axis.top - slot + (slot > bar ? 1 : 0);
  return slot !== bar && index >= 0 ? index : undefined;
}

/** The row of a price index; outside `0 … rows - 1` when it is not visible. */
export function slotOfIndex({ top, bar }: Axis, index: number): number {
  return top - index + (index <= bar ? 1 : 0);
}

/** The highest and the lowest price index in this many rows. */
export function indicesIn(axis: Axis, rows: number): { readonly highest: number; readonly lowest: number } {
  const bar = barSlot(axis);
  const last = rows - 1;
  return {
    highest: indexAtSlot(axis, bar === 0 ? 1 : 0) ?? 0,
    lowest: indexAtSlot(axis, bar === last ? last - 1 : last) ?? 0,
  };
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

/** The rows by which the market has left the bar while the rows are held; positive is up. */
export const barLag = (axis: Axis, touch: Touch): number => (barIndex(touch) ?? axis.bar) - axis.bar;

/** The price index under the bar: half of the rows between the best prices are above it. Beside the only one there is. */
function barIndex({ bid, ask }: Touch): number | undefined {
  if (ask === undefined) return bid;
  return bid === undefined ? ask - 1 : Math.floor((bid + ask - 1) / 2);
}
