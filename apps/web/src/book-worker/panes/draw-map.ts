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

/** Prices and sizes of a side's levels, from the best price outward; reused from one response to the next. */
interface Levels {
  px: Float64Array;
  sz: Float64Array;
  length: number;
}

/** The sizes of the whole book by distance from the mid: an overview, for which once a second is enough. */
export const map: PaneComputer<MapParams, MapData> = {
  everyMs: 1_000,
  open: () => {
    const sides = { A: noLevels(), B: noLevels() };
    return ({ book }, { bars }) => {
      readLevels(book, 'A', sides.A);
      readLevels(book, 'B', sides.B);
      const best = [sides.B, sides.A].flatMap(({ px, length }) => (length > 0 ? [px[0] as number] : []));
      const mid = best.reduce((sum, px) => sum + px, 0) / Math.max(1, best.length);
      const bpsOf = (px: number) => (Math.abs(px - mid) / mid) * 10_000;
      const last = ({ px, length }: Levels) => (length > 0 ? bpsOf(px[length - 1] as number) : 0);
      const farBps = Math.min(FAR_BPS_MAX, Math.max(FAR_BPS_MIN, last(sides.A), last(sides.B)));
      // One logarithm per bar instead of one per level: levels come from the mid outward.
      const ends = Array.from({ length: bars }, (_, bar) => bpsAtShare((bar + 1) / bars, farBps));
      const barsOf = ({ px, sz, length }: Levels) => {
        const sizes = Array.from({ length: bars }, () => 0);
        let bar = 0;
        for (let at = 0; at < length; at += 1) {
          const bps = bpsOf(px[at] as number);
          // The last level ends the map; rounding must not put it past the end.
          if (bps > farBps) break;
          while (bar < bars - 1 && bps >= (ends[bar] as number)) bar += 1;
          sizes[bar] = (sizes[bar] as number) + (sz[at] as number);
        }
        return sizes;
      };
      return { mid, farBps, bids: barsOf(sides.B), asks: barsOf(sides.A) };
    };
  },
};

function noLevels(): Levels {
  return { px: new Float64Array(4_096), sz: new Float64Array(4_096), length: 0 };
}

function readLevels(book: L4Book, side: Side, levels: Levels): void {
  const cursor = book.cursor(side);
  const [pxUnit, szUnit] = [10 ** cursor.pxScale, 10 ** cursor.szScale];
  const count = book.levelCount(side);
  if (count > levels.px.length) {
    levels.px = new Float64Array(2 * count);
    levels.sz = new Float64Array(2 * count);
  }
  levels.length = 0;
  while (cursor.nextLevel()) {
    levels.px[levels.length] = Number(cursor.px) / pxUnit;
    levels.sz[levels.length] = Number(cursor.levelSz) / szUnit;
    levels.length += 1;
  }
}
