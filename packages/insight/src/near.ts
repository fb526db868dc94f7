import type { L4Book, Units } from '@l4desk/book';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { plus, plusProduct, times } from './amounts.ts';
import { isBehind, isInFront, type PriceRange } from './mid.ts';
import { ByOwner, byRank, type OwnerTotal } from './wallets.ts';

/** What one wallet rests on one side of a range. */
export interface OwnerNear extends OwnerTotal {
  notional: Units;
  /** When its orders were placed, in ms, in book order. */
  readonly placed: number[];
}

/** What one wallet rests at one price. */
export interface OwnerAtPrice extends OwnerTotal {
  readonly px: Units;
  readonly pxText: DecimalString;
  readonly levelSz: Units;
}

/** One side of a range, added up by wallet, in units of the book. */
export interface NearSide {
  orders: number;
  sz: Units;
  notional: Units;
  readonly owners: ByOwner<OwnerNear>;
  /** Prices at which one named wallet rests at least what was asked for. */
  readonly walls: OwnerAtPrice[];
}

/** Size of a side within a range: a walk over its levels alone. */
export function sizeWithin(book: L4Book, side: Side, range: PriceRange): Units {
  const cursor = book.cursor(side);
  let sz: Units = 0;
  while (cursor.nextLevel()) {
    if (isBehind(cursor.px, side, range)) break;
    if (!isInFront(cursor.px, side, range)) sz = plus(sz, cursor.levelSz);
  }
  return sz;
}

/** Adds up the orders of a side within a range; a wallet with `wallSz` and more at one price is a wall of it. */
export function readNear(book: L4Book, side: Side, range: PriceRange, wallSz: bigint): NearSide {
  const owners = new ByOwner<OwnerNear>((user) => ({ user, orders: 0, sz: 0, notional: 0, placed: [] }));
  const near: NearSide = { orders: 0, sz: 0, notional: 0, owners, walls: [] };
  const cursor = book.cursor(side);
  while (cursor.nextLevel()) {
    const { px, levelSz } = cursor;
    if (isBehind(px, side, range)) break;
    if (isInFront(px, side, range)) continue;
    const atPrice = levelSz > 0 && levelSz >= wallSz ? new ByOwner<OwnerTotal>(emptyTotal) : undefined;
    let pxText: DecimalString = '0';
    while (cursor.nextOrder()) {
      const { user, sz } = cursor;
      const owner = owners.of(user);
      owner.orders += 1;
      owner.sz = plus(owner.sz, sz);
      owner.notional = plusProduct(owner.notional, times(px, sz));
      owner.placed.push(cursor.timestamp);
      if (atPrice === undefined) continue;
      if (pxText === '0') ({ pxText } = cursor);
      const own = atPrice.of(user);
      own.orders += 1;
      own.sz = plus(own.sz, sz);
    }
    near.orders += cursor.levelOrders;
    near.sz = plus(near.sz, levelSz);
    near.notional = plusProduct(near.notional, times(px, levelSz));
    if (atPrice === undefined) continue;
    for (const own of [...atPrice.all()].sort(byRank)) {
      if (own.user !== null && own.sz > 0 && own.sz >= wallSz) near.walls.push({ ...own, px, pxText, levelSz });
    }
  }
  return near;
}

function emptyTotal(user: Address | null): OwnerTotal {
  return { user, orders: 0, sz: 0 };
}
