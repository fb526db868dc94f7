/**
 * The price scale of the whole-book map: logarithmic by distance from the mid, so that prices near the market have room and
 * distant ones still fit. For drawing only.
 */

/** The scale is roughly linear below this distance, in basis points. */
const STRAIGHT_BPS = 2;

/** Position of a distance between the mid (0) and `farBps` (1). */
export function shareOfBps(bps: number, farBps: number): number {
  return Math.log1p(bps / STRAIGHT_BPS) / Math.log1p(farBps / STRAIGHT_BPS);
}

/** The distance in basis points at a position. */
export function bpsAtShare(share: number, farBps: number): number {
  return Math.expm1(share * Math.log1p(farBps / STRAIGHT_BPS)) * STRAIGHT_BPS;
}
