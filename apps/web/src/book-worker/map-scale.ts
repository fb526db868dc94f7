/**
 * How the map of a whole book bends its prices: logarithmically by their distance from the mid, so that what is near the
 * market has room and what is far is there. For drawing only.
 */

/** Below this distance the scale is straight, in basis points. */
const STRAIGHT_BPS = 2;

/** Where a distance lies between the mid (0) and `farBps` (1). */
export function shareOfBps(bps: number, farBps: number): number {
  return Math.log1p(bps / STRAIGHT_BPS) / Math.log1p(farBps / STRAIGHT_BPS);
}

/** The distance at a share of the way. */
export function bpsAtShare(share: number, farBps: number): number {
  return Math.expm1(share * Math.log1p(farBps / STRAIGHT_BPS)) * STRAIGHT_BPS;
}
