import type { L4Book, Units } from '@l4desk/book';
import { formatUnits } from '@l4desk/decimal';
import type { Side } from '@l4desk/protocol';

/** How levels are grouped: significant figures, and the step of the last one (1, 2 or 5). */
export interface Grouping {
  readonly nSigFigs: number | null;
  readonly mantissa: number | null;
}

export const UNGROUPED: Grouping = { nSigFigs: null, mantissa: null };

/** The exchange prints every decimal with at least one digit behind the point. */
const DECIMALS_MIN = 1;

/**
 * The best levels of a side as the exchange's `l2Book` lists them: JSON without brackets. Levels are read, not orders, and no
 * further than to the last level that is listed. Bids group down, asks up.
 */
export function levelsJson(book: L4Book, side: Side, grouping: Grouping, limit: number): string {
  const cursor = book.cursor(side);
  const { pxScale, szScale } = cursor;
  const parts: string[] = [];
  let current: Units | undefined;
  let sz: Units = 0;
  let n = 0;
  const end = () => {
    if (current === undefined) return;
    const px = formatUnits(current, pxScale, DECIMALS_MIN);
    parts.push(`{"px":"${px}","sz":"${formatUnits(sz, szScale, DECIMALS_MIN)}","n":${n}}`);
  };
  while (cursor.nextLevel()) {
    const { px, levelSz, levelOrders } = cursor;
    // Between an update to zero and the removal nothing rests.
    if (levelSz === 0 || levelSz === 0n) continue;
    const bucket = bucketOf(px, side, grouping);
    if (bucket === current) {
      sz = plus(sz, levelSz);
      n += levelOrders;
      continue;
    }
    end();
    if (parts.length === limit) return parts.join();
    current = bucket;
    sz = levelSz;
    n = levelOrders;
  }
  end();
  return parts.join();
}

/** Sums of one side are safe integers while sizes are numbers. */
function plus(a: Units, b: Units): Units {
  return typeof a === 'number' && typeof b === 'number' ? a + b : BigInt(a) + BigInt(b);
}

/** The price of the group that a price belongs to, in the same units. */
function bucketOf(px: Units, side: Side, { nSigFigs, mantissa }: Grouping): Units {
  if (nSigFigs === null) return px;
  const finer = digitsOf(px) - nSigFigs;
  // A price with no more figures than are asked for is on every step of its last figure, unless that is a multiple.
  if (finer < 0) return px;
  const step = 10 ** finer * (mantissa ?? 1);
  if (typeof px === 'number' && Number.isSafeInteger(step)) {
    const down = px - (px % step);
    return side === 'B' || down === px ? down : down + step;
  }
  const whole = BigInt(px);
  const unit = 10n ** BigInt(finer) * BigInt(mantissa ?? 1);
  const down = whole - (whole % unit);
  return side === 'B' || down === whole ? down : down + unit;
}

function digitsOf(px: Units): number {
  if (typeof px === 'bigint') return px.toString().length;
  let digits = 1;
  for (let bound = 10; px >= bound; bound *= 10) digits += 1;
  return digits;
}
