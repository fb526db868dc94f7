import { HEADING } from './paint-lines.ts';
import type { LaneTarget } from './scene-types.ts';

/** The tip has a fixed size, so that it does not jump when its text changes. */
export const TIP_WIDTH = 248;
export const TIP_HEIGHT = 68;

/** Gap between the tip and its row, and between the tip and the canvas's edges. */
const GAP = 4;

/**
 * Position of an order's tip: away from the market, over the outer rows. It covers neither the best prices nor its own row as
 * long as there is a place that avoids both.
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
