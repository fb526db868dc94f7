import type { L4Book, Units } from '@l4desk/book';
import { formatUnits } from '@l4desk/decimal';
import type { Side } from '@l4desk/protocol';

/** How levels are grouped: significant figures, and the step of the last one (1, 2 or 5). */
export interface Grouping {
  readonly nSigFigs: number | null;
  readonly mantissa: number | null;
}

/** The decimals of a book: prices are whole multiples of `10^-pxScale`, sizes of `10^-szScale`. */
interface Scales {
  readonly pxScale: number;
  readonly szScale: number;
}

/** The exchange prints every decimal with at least one digit after the decimal point. */
export const DECIMALS_MIN = 1;

/** The best levels of a side, or the groups of its levels, as the exchange's `l2Book` lists them: JSON without brackets. */
export function levelsJson(book: L4Book, side: Side, grouping: Grouping, limit: number): string {
  const cursor = book.cursor(side);
  const texts: string[] = [];
  let group: { readonly px: Units; sz: Units; n: number } | null = null;
  while (texts.length < limit && cursor.nextLevel()) {
    const { px, levelSz, levelOrders } = cursor;
    if (isNothing(levelSz)) continue;
    // The price of a group is that of its worst level.
    if (group !== null && (side === 'B' ? px >= group.px : px <= group.px)) {
      group.sz = plus(group.sz, levelSz);
      group.n += levelOrders;
    } else {
      if (group !== null) texts.push(levelJson(group.px, group.sz, group.n, cursor));
      group = { px: groupOf(px, side, grouping), sz: levelSz, n: levelOrders };
    }
  }
  if (group !== null && texts.length < limit) texts.push(levelJson(group.px, group.sz, group.n, cursor));
  return texts.join();
}

/** JSON of one level, or one group of levels, as in the exchange's `l2Book` and `bbo`. */
export function levelJson(px: Units, sz: Units, n: number, { pxScale, szScale }: Scales): string {
  return `{"px":"${formatUnits(px, pxScale, DECIMALS_MIN)}","sz":"${formatUnits(sz, szScale, DECIMALS_MIN)}","n":${n}}`;
}

/** Adds two amounts. While sizes are numbers, the sums of one side are safe integers. */
function plus(a: Units, b: Units): Units {
  return typeof a === 'number' && typeof b === 'number' ? a + b : BigInt(a) + BigInt(b);
}

export function minus(a: Units, b: Units): Units {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BigInt(a) - BigInt(b);
}

/** Whether a size is zero, as between an update to zero and the removal of the order. */
export function isNothing(sz: Units): boolean {
  return sz === 0 || sz === 0n;
}

/** Returns the price of the group that a price belongs to, in the same units. Bids round down, asks round up. */
function groupOf(px: Units, side: Side, { nSigFigs, mantissa }: Grouping): Units {
  if (nSigFigs === null) return px;
  const finer = digitsOf(px) - nSigFigs;
  // A price with fewer significant figures than `nSigFigs` is its own group.
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
