import { HEADING } from './paint-lines.ts';
import type { LaneTarget } from './pane-types.ts';

/** The tip has one size, whatever it says: it does not jump as it changes. */
export const TIP_WIDTH = 248;
export const TIP_HEIGHT = 68;

/** Room between the tip and the row it is about, and the canvas's edges. */
const GAP = 4;

/**
 * Where the tip of an order goes: away from the market, over the outer rows, and in any case neither over the best prices
 * nor over its own row as long as there is a place that is free of both.
 */
export function tipPlace(
  { level, y, rowHeight, x, touch }: Pick<LaneTarget, 'level' | 'y' | 'rowHeight' | 'x' | 'touch'>,
  width: number,
  height: number,
): { readonly left: number; readonly top: number } {
  const above = y - TIP_HEIGHT - GAP;
  const below = y + rowHeight + GAP;
  const isFree = (top: number) =>
    top >= HEADING &&
    top + TIP_HEIGHT <= height &&
    (top + TIP_HEIGHT <= y || top >= y + rowHeight) &&
    (touch === undefined || top + TIP_HEIGHT <= touch.top || top >= touch.bottom);
  const outward = level.side === 'A' ? [above, below] : [below, above];
  const beyond = touch === undefined ? [] : [touch.bottom + GAP, touch.top - TIP_HEIGHT - GAP];
  const top = [...outward, ...beyond, HEADING + GAP, height - TIP_HEIGHT - GAP].find(isFree) ?? HEADING + GAP;
  return { left: Math.max(GAP, Math.min(x, width - TIP_WIDTH - GAP)), top };
}
