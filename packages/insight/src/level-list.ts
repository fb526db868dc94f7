import type { L4Book, Units } from '@l4desk/book';
import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import { type Address, type DecimalString, lowerCaseAddress, type Side } from '@l4desk/protocol';
import { checkAmount, plus, plusExact, powerOfTen, times } from './amounts.ts';

/** The orders in which a `LevelList` can be sorted. */
export const LEVEL_SORTS = ['place', 'sz', 'age', 'owner'] as const;

/** What the orders of a row are sorted by. `age`: the oldest are the largest. */
export type LevelSort = (typeof LEVEL_SORTS)[number];

/** Which orders of a row are listed, and how. Orders that are filtered out keep their place in the queue. */
export interface LevelListQuery {
  readonly sort: LevelSort;
  readonly descending: boolean;
  /** Only orders whose owner is one of `users`, or whose lower-case address contains `text`; null for all owners. */
  readonly owner: { readonly users: readonly Address[]; readonly text: string } | null;
  /** Only orders with this time in force; `none` for orders without one; null for all. */
  readonly tif: string | null;
  /** Only orders of at least this size. */
  readonly minSz: DecimalString | null;
  /** Whether orders are grouped by owner. Then only orders of the owners in `open` (lower case) are listed, below their owner. */
  readonly byOwner: boolean;
  readonly open: readonly string[];
}

/** A row of the ladder: a price and the tick that it is grouped by. */
export interface LevelRow {
  readonly side: Side;
  readonly px: DecimalString;
  readonly tick: DecimalString;
}

/** An order of the list. */
export interface ListedOrder {
  readonly kind: 'order';
  /** Index in the list. */
  readonly index: number;
  readonly oid: number;
  /** Its place in the queue, 0 at the front, and the size in front of it there, however the list is sorted. */
  readonly place: number;
  readonly szAhead: DecimalString;
  /** Cumulative size of the listed orders down to this one; within its owner if the list is grouped. */
  readonly cumSz: DecimalString;
  /** Price times size. */
  readonly notional: DecimalString;
}

/** An owner in a list that is grouped by owner. */
export interface ListedOwner {
  readonly kind: 'owner';
  readonly index: number;
  /** In lower case; null for all orders whose owner is not named. */
  readonly user: Address | null;
  readonly orders: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  /** Cumulative size of the listed owners down to this one. */
  readonly cumSz: DecimalString;
  /** The place of its first order in the queue. */
  readonly place: number;
  readonly szAhead: DecimalString;
  readonly isOpen: boolean;
}

interface Item {
  readonly oid: number;
  readonly user: Address | null;
  readonly place: number;
  readonly ahead: Units;
  readonly px: Units;
  readonly sz: Units;
  readonly timestamp: number;
}

/** What is read from a row. */
interface Read {
  readonly items: Item[];
  readonly wallets: number;
  readonly sz: Units;
  readonly notional: Units;
}

interface Group {
  readonly user: Address | null;
  readonly items: Item[];
  /** Its first order in the queue. */
  readonly front: Item;
  sz: Units;
  notional: Units;
  /** When its oldest order was placed. */
  oldest: number;
}

/**
 * The orders of one row of a ladder, sorted, filtered and grouped. Reads the book once, in one walk, then lists a window
 * at a time. The book must not change meanwhile. Throws RangeError unless the minimum size is a non-negative decimal.
 */
export class LevelList {
  /** Number of listed orders, number of their owners, and their sums. */
  readonly orders: number;
  readonly wallets: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  /** Number of lines: orders, or owners plus the orders of those that are open. */
  readonly length: number;
  private readonly groups: readonly Group[];
  private readonly items: readonly Item[];
  private readonly query: LevelListQuery;
  private readonly scales: { readonly sz: number; readonly notional: number };

  constructor(book: L4Book, row: LevelRow, query: LevelListQuery) {
    if (query.minSz !== null) checkAmount('minSz', query.minSz);
    const { pxScale, szScale } = book.cursor(row.side);
    this.query = query;
    this.scales = { sz: szScale, notional: pxScale + szScale };
    const { items, wallets, sz, notional } = readRow(book, row, query);
    const groups = query.byOwner ? groupsOf(items) : [];
    this.orders = items.length;
    this.wallets = wallets;
    this.sz = this.sizeText(sz);
    this.notional = this.notionalText(notional);
    const order = compareBy(query);
    for (const { items: own } of groups) own.sort(order);
    this.groups = groups.sort(compareGroups(query));
    // They were read in queue order.
    const isQueue = query.sort === 'place' && !query.descending;
    this.items = query.byOwner || isQueue ? items : items.sort(order);
    this.length = query.byOwner
      ? this.groups.reduce((sum, group) => sum + 1 + (this.isOpen(group) ? group.items.length : 0), 0)
      : items.length;
  }

  /** The lines from `from` to `from + length - 1`. */
  lines(from: number, length: number): readonly (ListedOrder | ListedOwner)[] {
    const lines: (ListedOrder | ListedOwner)[] = [];
    const end = from + length;
    if (!this.query.byOwner) {
      this.listOrders(this.items, 0, from, end, lines);
      return lines;
    }
    let index = 0;
    let cumSz: Units = 0;
    for (const group of this.groups) {
      if (index >= end) break;
      cumSz = plus(cumSz, group.sz);
      if (index >= from) lines.push(this.ownerLine(group, index, cumSz));
      index += 1;
      if (!this.isOpen(group)) continue;
      this.listOrders(group.items, index, from, end, lines);
      index += group.items.length;
    }
    return lines;
  }

  /** Index of an order in the list; undefined if it is not listed. */
  indexOf(oid: number): number | undefined {
    const isIt = (item: Item) => item.oid === oid;
    if (!this.query.byOwner) return placeIn(this.items, isIt);
    let index = 0;
    for (const group of this.groups) {
      index += 1;
      if (!this.isOpen(group)) continue;
      const at = placeIn(group.items, isIt);
      if (at !== undefined) return index + at;
      index += group.items.length;
    }
    return undefined;
  }

  /** Appends the orders whose lines are wanted. The first of them is line `first`. */
  private listOrders(
    items: readonly Item[],
    first: number,
    from: number,
    end: number,
    lines: (ListedOrder | ListedOwner)[],
  ): void {
    let cumSz: Units = 0;
    for (const [at, item] of items.entries()) {
      const index = first + at;
      if (index >= end) return;
      cumSz = plus(cumSz, item.sz);
      if (index >= from) lines.push(this.orderLine(item, index, cumSz));
    }
  }

  private orderLine({ oid, place, ahead, px, sz }: Item, index: number, cumSz: Units): ListedOrder {
    return {
      kind: 'order',
      index,
      oid,
      place,
      szAhead: this.sizeText(ahead),
      cumSz: this.sizeText(cumSz),
      notional: this.notionalText(times(px, sz)),
    };
  }

  private ownerLine(group: Group, index: number, cumSz: Units): ListedOwner {
    const { front } = group;
    return {
      kind: 'owner',
      index,
      user: group.user,
      orders: group.items.length,
      sz: this.sizeText(group.sz),
      notional: this.notionalText(group.notional),
      cumSz: this.sizeText(cumSz),
      place: front.place,
      szAhead: this.sizeText(front.ahead),
      isOpen: this.isOpen(group),
    };
  }

  private isOpen({ user }: Group): boolean {
    return this.query.open.includes(user ?? NOBODY);
  }

  private sizeText(sz: Units): DecimalString {
    return formatUnits(sz, this.scales.sz);
  }

  private notionalText(notional: Units): DecimalString {
    return formatUnits(notional, this.scales.notional);
  }
}

/** Key in `open` for the orders whose owner is not named. */
const NOBODY = '';

/** The listed orders of a row, in queue order, and their sums. */
function readRow(book: L4Book, { side, px, tick }: LevelRow, { owner, tif, minSz }: LevelListQuery): Read {
  const cursor = book.cursor(side);
  const { low, high } = boundsOf(side, px, tick, cursor.pxScale);
  const least = minSz === null ? 0n : unitsFrom(minSz, cursor.szScale);
  const users = owner === null ? undefined : new Set(owner.users.map(lowerCaseAddress));
  /** By spelling, as received: the owner in lower case, and whether its orders are listed. */
  const known = new Map<Address | null, { readonly user: Address | null; readonly isListed: boolean }>();
  const items: Item[] = [];
  const wallets = new Set<Address | null>();
  let listedSz: Units = 0;
  let notional: Units = 0;
  let place = 0;
  let ahead: Units = 0;
  while (cursor.nextLevel()) {
    if (side === 'B' ? cursor.px > high : cursor.px < low) continue;
    if (side === 'B' ? cursor.px < low : cursor.px > high) break;
    let levelSz: Units = 0;
    while (cursor.nextOrder()) {
      const { oid, sz } = cursor;
      let who = known.get(cursor.user);
      if (who === undefined) {
        const user = cursor.user === null ? null : lowerCaseAddress(cursor.user);
        const isListed =
          users === undefined ||
          (user !== null && (users.has(user) || (owner?.text !== '' && user.includes(owner?.text ?? ''))));
        who = { user, isListed };
        known.set(cursor.user, who);
      }
      if (who.isListed && sz >= least && isOfTif(book, oid, tif)) {
        items.push({ oid, user: who.user, place, ahead, px: cursor.px, sz, timestamp: cursor.timestamp });
        wallets.add(who.user);
        levelSz = plus(levelSz, sz);
      }
      place += 1;
      ahead = plus(ahead, sz);
    }
    listedSz = plus(listedSz, levelSz);
    notional = plusExact(notional, times(cursor.px, levelSz));
  }
  return { items, wallets: wallets.size, sz: listedSz, notional };
}

function isOfTif(book: L4Book, oid: number, tif: string | null): boolean {
  return tif === null || (book.order(oid)?.tif ?? 'none') === tif;
}

/** The whole prices of a row, both ends inclusive: a bid's price is rounded down to the tick, an ask's up. */
function boundsOf(side: Side, px: DecimalString, tick: DecimalString, pxScale: number) {
  const scale = Math.max(pxScale, significantDecimalsOf(px), significantDecimalsOf(tick));
  const at = parseBigUnits(px, scale) ?? 0n;
  const step = parseBigUnits(tick, scale) ?? 0n;
  const unit = powerOfTen(scale - pxScale);
  const [from, to] = side === 'B' ? [at, at + step - 1n] : [at - step + 1n, at];
  return { low: (from + unit - 1n) / unit, high: to / unit };
}

/** The smallest whole number of units that is at least this size. */
function unitsFrom(sz: DecimalString, szScale: number): bigint {
  const scale = Math.max(szScale, significantDecimalsOf(sz));
  const step = powerOfTen(scale - szScale);
  return ((parseBigUnits(sz, scale) ?? 0n) + step - 1n) / step;
}

/** The orders by owner, in the order in which the owners first appear. */
function groupsOf(items: readonly Item[]): Group[] {
  const groups = new Map<Address | null, Group>();
  for (const item of items) {
    let group = groups.get(item.user);
    if (group === undefined) {
      group = { user: item.user, items: [], front: item, sz: 0, notional: 0, oldest: item.timestamp };
      groups.set(item.user, group);
    }
    group.items.push(item);
    group.sz = plus(group.sz, item.sz);
    group.notional = plusExact(group.notional, times(item.px, item.sz));
    group.oldest = Math.min(group.oldest, item.timestamp);
  }
  return [...groups.values()];
}

function placeIn(items: readonly Item[], isIt: (item: Item) => boolean): number | undefined {
  const at = items.findIndex(isIt);
  return at < 0 ? undefined : at;
}

/** Ties are in queue order, in either direction of the sort. */
function compareBy({ sort, descending }: LevelListQuery): (a: Item, b: Item) => number {
  const way = descending ? -1 : 1;
  switch (sort) {
    case 'place':
      return (a, b) => way * (a.place - b.place);
    case 'sz':
      return (a, b) => way * byUnits(a.sz, b.sz) || a.place - b.place;
    case 'age':
      return (a, b) => way * (b.timestamp - a.timestamp) || a.place - b.place;
    case 'owner':
      return (a, b) => way * byAddress(a.user, b.user) || a.place - b.place;
  }
}

/** Sorts owners by the same key: their first order, their size, their oldest order, or their address. */
function compareGroups({ sort, descending }: LevelListQuery): (a: Group, b: Group) => number {
  const way = descending ? -1 : 1;
  const front = (a: Group, b: Group) => a.front.place - b.front.place;
  switch (sort) {
    case 'place':
      return (a, b) => way * front(a, b);
    case 'sz':
      return (a, b) => way * byUnits(a.sz, b.sz) || front(a, b);
    case 'age':
      return (a, b) => way * (b.oldest - a.oldest) || front(a, b);
    case 'owner':
      return (a, b) => way * byAddress(a.user, b.user);
  }
}

function byUnits(a: Units, b: Units): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Unnamed owners come last. */
function byAddress(a: Address | null, b: Address | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
