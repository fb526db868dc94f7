import type { L4Book, OrderCursor, Units } from '@l4desk/book';
import type { DecimalString, Side } from '@l4desk/protocol';
import { plus } from './amounts.ts';
import { isBehind, isInFront, type PriceRange } from './mid.ts';
import { ByOwner, byRank, type OwnerTotal } from './wallets.ts';

/** What one wallet rests at one price. */
export interface OwnerAtPrice extends OwnerTotal {
  readonly px: Units;
  readonly pxText: DecimalString;
  readonly levelSz: Units;
}

/** Size of a side within a range. Walks over levels only, never over orders. */
export function sizeWithin(book: L4Book, side: Side, range: PriceRange): Units {
  const cursor = book.cursor(side);
  let sz: Units = 0;
  while (nextLevelWithin(cursor, side, range)) sz = plus(sz, cursor.levelSz);
  return sz;
}

/**
 * Prices of a side within a range at which one named wallet rests at least `wallSz`. Reads the orders only of levels that are
 * large enough to hold such a wall.
 */
export function wallsWithin(book: L4Book, side: Side, range: PriceRange, wallSz: bigint): readonly OwnerAtPrice[] {
  const walls: OwnerAtPrice[] = [];
  const cursor = book.cursor(side);
  while (nextLevelWithin(cursor, side, range)) {
    const { px, levelSz } = cursor;
    if (levelSz <= 0 || levelSz < wallSz) continue;
    const owners = new ByOwner<OwnerTotal>((user) => ({ user, orders: 0, sz: 0 }));
    let pxText: DecimalString | undefined;
    while (cursor.nextOrder()) {
      pxText ??= cursor.pxText;
      const own = owners.of(cursor.user);
      own.orders += 1;
      own.sz = plus(own.sz, cursor.sz);
    }
    if (pxText === undefined) continue;
    for (const own of [...owners.all()].sort(byRank)) {
      if (own.user !== null && own.sz > 0 && own.sz >= wallSz) walls.push({ ...own, px, pxText, levelSz });
    }
  }
  return walls;
}

/** Moves to the next level within a range; returns false past the last one. */
export function nextLevelWithin(cursor: OrderCursor, side: Side, range: PriceRange): boolean {
  while (cursor.nextLevel()) {
    if (isBehind(cursor.px, side, range)) return false;
    if (!isInFront(cursor.px, side, range)) return true;
  }
  return false;
}
