import type { L4Book } from '@l4desk/book';
import type { Side } from '@l4desk/protocol';
import { shareOfBps } from '../../map-scale.ts';
import type { MapAnswer, MapAsk } from '../../panes/map.ts';
import { SlowPane } from './slow-pane.ts';

/** The map is looked at, not read: twice a second is enough. */
const MAP_MS = 500;

/** No further than ten times the price: beyond are orders that nobody means. */
const FAR_BPS_MAX = 90_000;

/** How far the map reaches at least. */
const FAR_BPS_MIN = 100;

/** A level as far as it is drawn. */
interface MapLevel {
  readonly px: number;
  readonly sz: number;
}

/** The sizes of the whole book by the distance from the mid. */
export const mapPane = () =>
  new SlowPane<MapAsk, MapAnswer>(({ book, position: { height } }, { serial, bars }) => {
    const sides = { A: levelsOf(book, 'A'), B: levelsOf(book, 'B') };
    const best = [sides.B[0]?.px, sides.A[0]?.px].filter((px) => px !== undefined);
    const mid = best.reduce((sum, px) => sum + px, 0) / Math.max(1, best.length);
    const bpsOf = (px: number) => (Math.abs(px - mid) / mid) * 10_000;
    const furthest = Math.max(FAR_BPS_MIN, ...[sides.A.at(-1), sides.B.at(-1)].map((level) => bpsOf(level?.px ?? mid)));
    const farBps = Math.min(FAR_BPS_MAX, furthest);
    const barsOf = (side: Side) => {
      const sizes = Array.from({ length: bars }, () => 0);
      for (const { px, sz } of sides[side]) {
        const bar = Math.floor(shareOfBps(bpsOf(px), farBps) * bars);
        if (bar < bars) sizes[bar] = (sizes[bar] as number) + sz;
        // The last level ends the map.
        else if (bar === bars) sizes[bars - 1] = (sizes[bars - 1] as number) + sz;
      }
      return sizes;
    };
    return { serial, height, mid, farBps, bids: barsOf('B'), asks: barsOf('A') };
  }, MAP_MS);

/** The levels of a side, from the best price outward. */
function levelsOf(book: L4Book, side: Side): readonly MapLevel[] {
  const cursor = book.cursor(side);
  const [pxUnit, szUnit] = [10 ** cursor.pxScale, 10 ** cursor.szScale];
  const levels: MapLevel[] = [];
  while (cursor.nextLevel()) levels.push({ px: Number(cursor.px) / pxUnit, sz: Number(cursor.levelSz) / szUnit });
  return levels;
}
