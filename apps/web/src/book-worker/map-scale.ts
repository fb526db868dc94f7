/**
 * The price scale of the whole-book map: logarithmic by distance from the mid, so that prices near the market have room and
 * distant ones still fit. For drawing only.
 */

/** The scale is roughly linear below this distance, in basis points. */
const STRAIGHT_BPS = 2;

export function shareOfBps(bps: number, farBps: number): number {
  return Math.log1p(bps / STRAIGHT_BPS) / Math.log1p(farBps / STRAIGHT_BPS);
}

export function bpsAtShare(share: number, farBps: number): number {
  return Math.expm1(share * Math.log1p(farBps / STRAIGHT_BPS)) * STRAIGHT_BPS;
}
