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

interface Level {
  readonly px: number;
  readonly sz: number;
}

/** The sizes of the whole book by distance from the mid: an overview, for which once a second is enough. */
export const map: PaneComputer<MapParams, MapData> = {
  everyMs: 1_000,
  open:
    () =>
    ({ book }, { bars }) => {
      const [bids, asks] = [levelsOf(book, 'B'), levelsOf(book, 'A')];
      const best = [bids, asks].flatMap(([first]) => first?.px ?? []);
      const mid = best.reduce((sum, px) => sum + px, 0) / Math.max(1, best.length);
      const bpsOf = (px: number) => (Math.abs(px - mid) / mid) * 10_000;
      const ends = [bids, asks].flatMap((levels) => levels.at(-1)?.px ?? []);
      const farBps = Math.min(FAR_BPS_MAX, Math.max(FAR_BPS_MIN, ...ends.map(bpsOf)));
      // One logarithm per bar instead of one per level: levels come from the mid outward.
      const endsOfBars = Array.from({ length: bars }, (_, bar) => bpsAtShare((bar + 1) / bars, farBps));
      const barsOf = (levels: readonly Level[]) => {
        const sizes = Array.from({ length: bars }, () => 0);
        let bar = 0;
        for (const { px, sz } of levels) {
          const bps = bpsOf(px);
          // The last level ends the map; rounding must not put it past the end.
          if (bps > farBps) break;
          while (bar < bars - 1 && bps >= (endsOfBars[bar] as number)) bar += 1;
          sizes[bar] = (sizes[bar] as number) + sz;
        }
        return sizes;
      };
      return { mid, farBps, bids: barsOf(bids), asks: barsOf(asks) };
    },
};

/** From the best price outward. */
function levelsOf(book: L4Book, side: Side): readonly Level[] {
  const cursor = book.cursor(side);
  const [pxUnit, szUnit] = [10 ** cursor.pxScale, 10 ** cursor.szScale];
  const levels: Level[] = [];
  while (cursor.nextLevel()) levels.push({ px: Number(cursor.px) / pxUnit, sz: Number(cursor.levelSz) / szUnit });
  return levels;
}
