import type { L4Book } from '@l4desk/book';
import { parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import { type Address, type DecimalString, lowerCaseAddress, SIDES, type Side } from '@l4desk/protocol';
import { shortest } from '../amounts.ts';
import type { OrderDifference } from './time-line.ts';

interface Resting {
  readonly side: Side;
  readonly user: Address | null;
  readonly px: DecimalString;
  readonly sz: DecimalString;
}

/** Every order that differs between two books of a coin: it rests in only one of them, or with another size. */
export function bookDifference(before: L4Book, after: L4Book): readonly OrderDifference[] {
  const resting = new Map<number, Resting>();
  for (const side of SIDES) {
    for (const { oid, user, px, sz } of before.keys(side)) {
      resting.set(oid, { side, user: user as Address | null, px: shortest(px), sz });
    }
  }
  const differences: OrderDifference[] = [];
  for (const side of SIDES) {
    for (const { oid, user: owner, px: text, sz } of after.keys(side)) {
      const user = owner as Address | null;
      const px = shortest(text);
      const was = resting.get(oid);
      const isSame = was !== undefined && was.side === side && was.px === px;
      if (isSame) resting.delete(oid);
      if (isSame && shortest(was.sz) === shortest(sz)) continue;
      differences.push(difference(oid, { side, user, px, sz }, isSame ? was.sz : null, sz));
    }
  }
  for (const [oid, was] of resting) differences.push(difference(oid, was, was.sz, null));
  return byPlace(differences);
}

function difference(
  oid: number,
  { user, side, px }: Resting,
  from: DecimalString | null,
  to: DecimalString | null,
): OrderDifference {
  return { oid, user: user === null ? null : lowerCaseAddress(user), side, px, from, to };
}

/** Bids first, best price first, then by oid. */
export function byPlace(orders: readonly OrderDifference[]): OrderDifference[] {
  const scale = orders.reduce((finest, { px }) => Math.max(finest, significantDecimalsOf(px)), 0);
  const placed = orders.map((order) => {
    const units = parseBigUnits(order.px, scale) ?? 0n;
    return { order, key: order.side === 'B' ? -units : units };
  });
  placed.sort((a, b) => {
    if (a.order.side !== b.order.side) return a.order.side === 'B' ? -1 : 1;
    if (a.key !== b.key) return a.key < b.key ? -1 : 1;
    return a.order.oid - b.order.oid;
  });
  return placed.map(({ order }) => order);
}
