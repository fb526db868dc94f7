import type { DecimalString } from '@l4desk/protocol';

/** How long a bar is. Floats are fine here: a bar is read by eye, the number beside it is exact. */
export type BarScale = 'linear' | 'sqrt' | 'log';

/** Below this share of the full bar the scale shrinks; the steps lie closer together, so that it does not flicker. */
const SHRINK_BELOW = 0.5;

const STEPS = [1, 1.5, 2, 3, 4, 6, 8];

/** The size of a full bar: a round number, kept from frame to frame while it still fits. */
export function fullBar(largest: number, previous: number): number {
  if (previous > 0 && largest <= previous && largest > previous * SHRINK_BELOW) return previous;
  if (!(largest > 0)) return previous > 0 ? previous : 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  for (const factor of STEPS) if (factor * power >= largest) return factor * power;
  return 10 * power;
}

/** The share of the rows that may be longer than the full bar, and by how much more than the rest they have to be. */
const WALLS = 0.05;
const WALL_FROM = 2;

/**
 * The size that the full bar has to hold: the largest, unless a few rows are much larger than all others. Those are drawn
 * broken, so that one wall does not flatten the rest.
 */
export function largestShown(sizes: readonly number[]): number {
  const sorted = sizes.toSorted((a, b) => a - b);
  const largest = sorted.at(-1) ?? 0;
  const rest = sorted[sorted.length - 1 - Math.max(1, Math.ceil(sorted.length * WALLS))] ?? largest;
  return rest > 0 && largest > rest * WALL_FROM ? rest : largest;
}

/** Share of the full bar, from 0 to 1, that a size takes. */
export function barShare(size: number, full: number, scale: BarScale): number {
  const share = Math.min(1, Math.max(0, size / full));
  switch (scale) {
    case 'linear':
      return share;
    case 'sqrt':
      return Math.sqrt(share);
    case 'log':
      // Three decades: a thousandth of the full bar is still visible.
      return Math.log1p(share * 999) / Math.log(1000);
  }
}

/** A full bar's size as the heading shows it: `20`, `0.05`, `2,000`. */
export function fullBarText(full: number): string {
  return full.toLocaleString('en-US', { maximumSignificantDigits: 2 });
}

/** The share of orders in sight that are not large. */
const ORDINARY = 0.99;

/**
 * The size from which on an order is large. A chosen one is compared exactly: it and the sizes of a frame are the doubles
 * nearest to decimals of at most fifteen digits, which are in the order of the decimals.
 */
export function largeLimit(choice: 'none' | 'p99' | DecimalString, sizes: Float64Array): number {
  if (choice === 'none') return Number.POSITIVE_INFINITY;
  return choice === 'p99' ? largeFrom(sizes) : Number(choice);
}

/** The size from which on an order in sight is large: that of the largest hundredth; infinite where there are too few to say. */
export function largeFrom(sizes: Float64Array): number {
  const rank = Math.ceil(sizes.length * ORDINARY);
  return sizes.toSorted()[rank] ?? Number.POSITIVE_INFINITY;
}
