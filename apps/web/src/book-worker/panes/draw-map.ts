import type { L4Book } from '@l4desk/book';
import type { Side } from '@l4desk/protocol';
import { bpsAtShare } from '../map-scale.ts';
import type { PaneComputer } from '../worker/shown.ts';

/** The whole book in a few bars per side. */
export interface MapParams {
  readonly bars: number;
}

/** Sizes are for drawing only. */
export interface MapData {
  /** The midpoint of the best prices, or the only one there is; for drawing only. */
  readonly mid: number;
  readonly farBps: number;
  /** Sizes from the mid outward, in bars of equal height on the scale of `map-scale.ts`. */
  readonly bids: readonly number[];
  readonly asks: readonly number[];
}

/** At most ten times the price: farther orders are not meant to execute. */
const FAR_BPS_MAX = 90_000;

const FAR_BPS_MIN = 100;

/** The sizes of the whole book by distance from the mid: an overview, for which once a second is enough. */
export const map: PaneComputer<MapParams, MapData> = {
  everyMs: 1_000,
  open:
    () =>
    ({ book }, { bars }) => {
      const ends = [endsOf(book, 'B'), endsOf(book, 'A')].filter((one) => one !== undefined);
      const mid = ends.reduce((sum, { nearest }) => sum + nearest, 0) / Math.max(1, ends.length);
      const farthest = ends.map((one) => bpsFrom(mid, one.farthest));
      const farBps = Math.min(FAR_BPS_MAX, Math.max(FAR_BPS_MIN, ...farthest));
      // One logarithm per bar instead of one per level: levels come from the mid outward.
      const endsOfBars = Array.from({ length: bars }, (_, bar) => bpsAtShare((bar + 1) / bars, farBps));
      const sizes = (side: Side) => sizesOf(book, side, mid, farBps, endsOfBars);
      return { mid, farBps, bids: sizes('B'), asks: sizes('A') };
    },
};

const bpsFrom = (mid: number, px: number) => (Math.abs(px - mid) / mid) * 10_000;

/** The prices nearest to the market and farthest from it; undefined of a side without orders. */
function endsOf(book: L4Book, side: Side): { readonly nearest: number; readonly farthest: number } | undefined {
  const cursor = book.cursor(side);
  if (!cursor.nextLevel()) return undefined;
  const unit = 10 ** cursor.pxScale;
  const nearest = Number(cursor.px) / unit;
  let farthest = nearest;
  while (cursor.nextLevel()) farthest = Number(cursor.px) / unit;
  return { nearest, farthest };
}

/** The sizes of a side in bars that end at these distances. A book has thousands of levels, so they are read and not collected. */
function sizesOf(book: L4Book, side: Side, mid: number, farBps: number, endsOfBars: readonly number[]): number[] {
  const cursor = book.cursor(side);
  const [pxUnit, szUnit] = [10 ** cursor.pxScale, 10 ** cursor.szScale];
  const sizes = endsOfBars.map(() => 0);
  let bar = 0;
  while (cursor.nextLevel()) {
    const bps = bpsFrom(mid, Number(cursor.px) / pxUnit);
    // The last level ends the map; rounding must not put it past the end.
    if (bps > farBps) break;
    while (bar < sizes.length - 1 && bps >= (endsOfBars[bar] as number)) bar += 1;
    sizes[bar] = (sizes[bar] as number) + Number(cursor.levelSz) / szUnit;
  }
  return sizes;
}
