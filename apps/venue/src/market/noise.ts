/** Noise that depends only on a seed and a position: a whole number from 0 to 2^32 − 1. */
export function hashAt(seed: number, place: number): number {
  let h = Math.imul(seed ^ (place | 0), 0x9e3779b1) ^ Math.imul(Math.floor(place / 0x1_0000_0000) | 0, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Smooth noise around zero: whole numbers from −`reach` to `reach`, drawn every `period` positions and interpolated
 * linearly between.
 */
export function driftAt(seed: number, place: number, period: number, reach: number): number {
  const before = Math.floor(place / period);
  const share = place - before * period;
  const draw = (index: number) => (hashAt(seed, index) % (2 * reach + 1)) - reach;
  return Math.floor((draw(before) * (period - share) + draw(before + 1) * share) / period);
}
