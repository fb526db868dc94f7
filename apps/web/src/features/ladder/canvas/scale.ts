import type { DecimalString } from '@l4desk/protocol';

/** How bar lengths are scaled. Floats are fine here: a bar is read by eye, and the number beside it is exact. */
export type BarScale = 'linear' | 'sqrt' | 'log';

/** The scale shrinks below this share of the full bar; the steps lie closer together than that, so that it does not flicker. */
const SHRINK_BELOW = 0.5;

const STEPS = [1, 1.5, 2, 3, 4, 6, 8];

/** The size of a full bar: a round number, kept from frame to frame while it fits. */
export function fullBar(largest: number, previous: number): number {
  if (previous > 0 && largest <= previous && largest > previous * SHRINK_BELOW) return previous;
  if (!(largest > 0)) return previous > 0 ? previous : 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  for (const factor of STEPS) if (factor * power >= largest) return factor * power;
  return 10 * power;
}

/** The share of rows that may be longer than the full bar, and by which factor they have to exceed the rest. */
const WALLS = 0.05;
const WALL_FROM = 2;

/**
 * The size that the full bar has to hold: the largest, unless a few rows are much larger than all others. Those bars are drawn
 * broken, so that one wall does not flatten the rest.
 */
export function largestShown(sizes: readonly number[]): number {
  const sorted = sizes.toSorted((a, b) => a - b);
  const largest = sorted.at(-1) ?? 0;
  const rest = sorted[sorted.length - 1 - Math.max(1, Math.ceil(sorted.length * WALLS))] ?? largest;
  return rest > 0 && largest > rest * WALL_FROM ? rest : largest;
}

/** Share of the full bar, from 0 to 1, for a size. */
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

const FULL_BAR = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** The size of a full bar as shown in the heading: `20`, `0.05`, `2,000`. */
export function fullBarText(full: number): string {
  return FULL_BAR.format(full);
}

const ORDINARY = 0.99;

/**
 * The size from which an order is large. A chosen size is compared exactly: it and a frame's sizes are the doubles nearest to
 * decimals of at most fifteen digits, which sort like the decimals.
 */
export function largeLimit(choice: 'none' | 'p99' | DecimalString, sizes: Float64Array): number {
  if (choice === 'none') return Number.POSITIVE_INFINITY;
  return choice === 'p99' ? largeFrom(sizes) : Number(choice);
}

const rankOfLarge = (sizes: Float64Array) => Math.ceil(sizes.length * ORDINARY);

/**
 * The size from which a visible order is large: the lower bound of the largest hundredth; infinite if there are too few orders.
 */
export function largeFrom(sizes: Float64Array): number {
  return sizes.toSorted()[rankOfLarge(sizes)] ?? Number.POSITIVE_INFINITY;
}

/** Whether `largeFrom` is between two sizes. Counting is much faster than sorting, and every frame needs this. */
export function isLargeBetween(sizes: Float64Array, above: number, below: number): boolean {
  let upToAbove = 0;
  let upToBelow = 0;
  for (let at = 0; at < sizes.length; at += 1) {
    const size = sizes[at] as number;
    if (size <= above) upToAbove += 1;
    if (size < below) upToBelow += 1;
  }
  const rank = rankOfLarge(sizes);
  return upToAbove <= rank && rank < upToBelow;
}
