import type { L4Book, OrderCursor, Units } from '@l4desk/book';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { plus, plusProduct, times } from './amounts.ts';
import { isBehind, isInFront, type PriceRange } from './mid.ts';
import { OwnerEntries, type OwnerEntry } from './owner-entries.ts';
import { ByOwner, byRank, type OwnerTotal } from './wallets.ts';

/** What one wallet rests on one side of a range. */
export interface OwnerNear extends OwnerTotal, OwnerEntry {}

/** More of a wallet, which costs too much to be counted of everyone. */
export interface OwnerDetail {
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
  readonly owners: OwnerEntries<OwnerNear>;
  /** Prices at which one named wallet rests at least what was asked for. */
  readonly walls: OwnerAtPrice[];
}

/** What is counted by wallet on one side: kept from one reading to the next, it makes each of them cheap. */
export function nearOwners(): OwnerEntries<OwnerNear> {
  return new OwnerEntries<OwnerNear>(
    (user) => ({ user, orders: 0, sz: 0, reading: 0 }),
    (owner) => {
      owner.orders = 0;
      owner.sz = 0;
    },
  );
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
export function readNear(
  book: L4Book,
  side: Side,
  range: PriceRange,
  wallSz: bigint,
  owners: OwnerEntries<OwnerNear> = nearOwners(),
): NearSide {
  owners.begin();
  const near: NearSide = { orders: 0, sz: 0, notional: 0, owners, walls: [] };
  const cursor = book.cursor(side);
  while (nextLevelWithin(cursor, side, range)) {
    const { px, levelSz } = cursor;
    const atPrice = levelSz > 0 && levelSz >= wallSz ? new ByOwner<OwnerTotal>(emptyTotal) : undefined;
    let pxText: DecimalString = '0';
    while (cursor.nextOrder()) {
      const { sz } = cursor;
      const owner = owners.of(cursor);
      owner.orders += 1;
      owner.sz = plus(owner.sz, sz);
      if (atPrice === undefined) continue;
      if (pxText === '0') ({ pxText } = cursor);
      const own = atPrice.of(owner.user);
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

/** More of some of the wallets that `readNear` found on that side of that range. */
export function detailsOf(
  book: L4Book,
  side: Side,
  range: PriceRange,
  near: NearSide,
  wanted: readonly OwnerNear[],
): ReadonlyMap<OwnerNear, OwnerDetail> {
  const details = new Map(wanted.map((owner): [OwnerNear, OwnerDetail] => [owner, { notional: 0, placed: [] }]));
  const cursor = book.cursor(side);
  while (nextLevelWithin(cursor, side, range)) {
    const { px } = cursor;
    while (cursor.nextOrder()) {
      const detail = details.get(near.owners.of(cursor));
      if (detail === undefined) continue;
      detail.notional = plusProduct(detail.notional, times(px, cursor.sz));
      detail.placed.push(cursor.timestamp);
    }
  }
  return details;
}

/** Moves to the next level of a range; false behind the last one. */
function nextLevelWithin(cursor: OrderCursor, side: Side, range: PriceRange): boolean {
  while (cursor.nextLevel()) {
    if (isBehind(cursor.px, side, range)) return false;
    if (!isInFront(cursor.px, side, range)) return true;
  }
  return false;
}

function emptyTotal(user: Address | null): OwnerTotal {
  return { user, orders: 0, sz: 0 };
}
