import { decimalsOf, formatUnits, parseUnits } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';

/**
 * Prices of a grouped ladder as whole numbers: row `i` of a tick is the price `i × tick`, exactly. The ladder scrolls, centres
 * and hit-tests in these indices, so no price is ever a float.
 */
export interface TickGrid {
  readonly tick: DecimalString;
  /** Decimals of every shown price: those of the tick. */
  readonly decimals: number;
  /** The tick as a whole number of 10^-decimals. */
  readonly units: number;
}

export function tickGrid(tick: string): TickGrid | undefined {
  const decimals = decimalsOf(tick);
  const units = parseUnits(tick, decimals);
  if (units === undefined || units <= 0) return undefined;
  return { tick: tick as DecimalString, decimals, units };
}

export function indexOfPrice(grid: TickGrid, px: string): number | undefined {
  const units = parseUnits(px, grid.decimals);
  if (units === undefined || units < 0 || units % grid.units !== 0) return undefined;
  return units / grid.units;
}

export function priceOfIndex(grid: TickGrid, index: number): DecimalString {
  return formatUnits(index * grid.units, grid.decimals, grid.decimals);
}

/** One, two or five times a power of ten: the only ticks offered. */
export const TICK_PATTERN = /^(?:[125]0*|0\.0*[125])$/;

/** The row that contains a price of one side: bids round down, asks up. Undefined for a price too large to count in units. */
export function indexHolding(grid: TickGrid, side: Side, px: string): number | undefined {
  const scale = Math.max(grid.decimals, decimalsOf(px));
  const units = parseUnits(px, scale);
  const step = parseUnits(grid.tick, scale);
  if (units === undefined || step === undefined) return undefined;
  const floor = (units - (units % step)) / step;
  return side === 'A' && units % step !== 0 ? floor + 1 : floor;
}

export function rowHolds(
  row: { readonly side: Side; readonly px: string; readonly tick: string },
  side: Side,
  px: string,
): boolean {
  const grid = row.side === side ? tickGrid(row.tick) : undefined;
  return grid !== undefined && indexHolding(grid, side, px) === indexOfPrice(grid, row.px);
}
