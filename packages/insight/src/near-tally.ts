import type { L4Book, OrderCursor, Units } from '@l4desk/book';
import { parseUnits } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { negative, plus, plusExact, times } from './amounts.ts';
import type { FlowEvent } from './flow/flow-event.ts';
import { isBehind, isInFront, type PriceRange } from './mid.ts';
import { OwnerEntries, type OwnerEntry } from './owner-entries.ts';
import { Leaders, type Ranked, SumOfSquares } from './ranking.ts';

/**
 * What one wallet rests on one side of a range, in units of the book. An owner that has left may still be here, with no orders.
 */
export interface OwnerNear extends Ranked, OwnerEntry {
  notional: Units;
  /** When its orders were placed, in ms, in no particular order. */
  placed: number[];
  /** Cached median of `placed`; undefined while unknown. */
  middle: number | undefined;
  /** Cached printed size and notional; undefined while unknown. */
  texts: { readonly sz: DecimalString; readonly notional: DecimalString } | undefined;
  /** Cached lean of its sizes, with the opposite size that it was computed from. Reset when its own size changes. */
  lean: { readonly opposite: Units; readonly text: DecimalString | null } | undefined;
  /** The entry of the same owner on the other side, once it was looked up. */
  match: OwnerNear | undefined;
}

/**
 * Entries without orders are dropped (by reading the range again) once entries outnumber resting orders by this factor and a
 * minimum.
 */
const LEFT_FACTOR = 2;
const LEFT_MIN = 1_000;

/**
 * One side of a range, added up by wallet. If `note` is called with the changes of every block, the orders of a level are read
 * only when the level enters or leaves the range. Otherwise, or after a missed block, the whole range is read again.
 */
export class NearTally {
  readonly side: Side;
  readonly owners = new OwnerEntries<OwnerNear>(
    (user) => ({
      user,
      orders: 0,
      sz: 0,
      notional: 0,
      placed: [],
      middle: undefined,
      texts: undefined,
      lean: undefined,
      match: undefined,
      ledBy: undefined,
      reading: 0,
      table: 0,
    }),
    (owner) => {
      owner.orders = 0;
      owner.sz = 0;
      owner.notional = 0;
      owner.placed = [];
      owner.middle = undefined;
      owner.texts = undefined;
      owner.lean = undefined;
    },
  );
  /** The largest named owners. */
  readonly leaders = new Leaders<OwnerNear>(() =>
    this.owners.all().filter(({ user, orders }) => user !== null && orders > 0),
  );
  orders = 0;
  sz: Units = 0;
  notional: Units = 0;
  /** Named owners with orders in the range, and the sum of the squares of their sizes. */
  wallets = 0;
  squares = new SumOfSquares();
  /** What the sums cover; undefined while they are invalid. */
  private standing:
    | { readonly book: L4Book; revision: number; range: PriceRange; readonly pxScale: number; readonly szScale: number }
    | undefined;

  constructor(side: Side) {
    this.side = side;
  }

  /** What an owner has in the range; undefined if it has nothing. */
  find(user: Address | null): OwnerNear | undefined {
    const owner = this.owners.find(user);
    return owner !== undefined && owner.orders > 0 ? owner : undefined;
  }

  /** What an owner of the other side has here. The address is looked up once, although every response asks for it. */
  sizeOf(owner: OwnerNear): Units {
    if (owner.match === undefined || !this.owners.holds(owner.match)) owner.match = this.owners.entryOf(owner.user);
    return this.owners.has(owner.match) ? owner.match.sz : 0;
  }

  /** Takes the changes of a block that was applied to a book. Cheap unless that book was read. */
  note(book: L4Book, events: readonly FlowEvent[]): void {
    const { standing } = this;
    if (standing === undefined || standing.book !== book) return;
    const cursor = book.cursor(this.side);
    const isNext = book.revision === standing.revision + 1;
    if (!isNext || !isSameScale(cursor, standing) || !this.follow(book, events, standing)) this.standing = undefined;
    else standing.revision = book.revision;
  }

  /** Brings the sums up to date with what rests within a range now. */
  read(book: L4Book, range: PriceRange): this {
    // Orders with pending statuses would have the time of their block, so apply the statuses first.
    if (!book.isSettled) book.order(0);
    const { standing } = this;
    const cursor = book.cursor(this.side);
    const isKnown =
      standing?.book === book &&
      standing.revision === book.revision &&
      isSameScale(cursor, standing) &&
      this.owners.all().length < LEFT_MIN + (LEFT_FACTOR + 1) * this.orders;
    if (!isKnown || standing === undefined || !this.move(cursor, standing.range, range)) this.readAll(book, range);
    else standing.range = range;
    return this;
  }

  private readAll(book: L4Book, range: PriceRange): void {
    this.owners.begin();
    this.leaders.forget();
    this.wallets = 0;
    this.squares = new SumOfSquares();
    this.orders = 0;
    this.sz = 0;
    this.notional = 0;
    const cursor = book.cursor(this.side);
    while (cursor.nextLevel() && !isBehind(cursor.px, this.side, range)) {
      if (!isInFront(cursor.px, this.side, range)) this.enter(cursor);
    }
    const { pxScale, szScale } = cursor;
    this.standing = { book, revision: book.revision, range, pxScale, szScale };
  }

  /**
   * Adds the levels that entered the range and subtracts those that left it. Returns false if one of them is not as it was
   * counted.
   */
  private move(cursor: OrderCursor, from: PriceRange, to: PriceRange): boolean {
    const { side } = this;
    if (from.low === to.low && from.high === to.high) return true;
    while (cursor.nextLevel()) {
      const { px } = cursor;
      const isPast = isBehind(px, side, to);
      const wasPast = isBehind(px, side, from);
      if (isPast && wasPast) return true;
      const isIn = !isPast && !isInFront(px, side, to);
      const wasIn = !wasPast && !isInFront(px, side, from);
      if (isIn && !wasIn) this.enter(cursor);
      if (wasIn && !isIn && !this.leave(cursor)) return false;
    }
    return true;
  }

  private enter(cursor: OrderCursor): void {
    const { px } = cursor;
    while (cursor.nextOrder()) {
      const owner = this.owners.of(cursor);
      this.count(owner, 1, cursor.sz, times(px, cursor.sz));
      this.place(owner, cursor.timestamp);
    }
  }

  private leave(cursor: OrderCursor): boolean {
    const { px } = cursor;
    while (cursor.nextOrder()) {
      const owner = this.owners.of(cursor);
      this.count(owner, -1, negative(cursor.sz), negative(times(px, cursor.sz)));
      if (!this.unplace(owner, cursor.timestamp)) return false;
    }
    return true;
  }

  private follow(book: L4Book, events: readonly FlowEvent[], { range, pxScale, szScale }: Scaled): boolean {
    const gone = new Set<number>();
    for (const event of events) {
      const { act, oid, side } = event;
      if (side !== this.side) continue;
      // If an order leaves and returns in the same block, only one of its two lives is reported.
      if (act === 'insert' && gone.has(oid)) return false;
      if (act === 'remove') gone.add(oid);
      const px = parseUnits(event.level, pxScale);
      const from = parseUnits(event.from, szScale);
      const to = parseUnits(event.to, szScale);
      if (px === undefined || from === undefined || to === undefined) return false;
      if (isBehind(px, side, range) || isInFront(px, side, range)) continue;
      const order =
        event.order ?? events.find((one) => one.oid === oid && one.order !== null)?.order ?? book.order(oid);
      if (order === undefined || order === null) return false;
      // The change names an owner that the book may not know.
      const owner = this.owners.ofUser(order.user === null ? null : event.user);
      this.count(owner, act === 'insert' ? 1 : act === 'remove' ? -1 : 0, to - from, times(px, to - from));
      if (act === 'insert') this.place(owner, order.timestamp);
      else if (act === 'remove' && !this.unplace(owner, order.timestamp)) return false;
    }
    return true;
  }

  private count(owner: OwnerNear, orders: number, sz: Units, notional: Units): void {
    const { orders: ordersBefore, sz: szBefore } = owner;
    owner.orders += orders;
    owner.sz = plus(owner.sz, sz);
    owner.notional = plusExact(owner.notional, notional);
    owner.texts = undefined;
    owner.lean = undefined;
    this.orders += orders;
    this.sz = plus(this.sz, sz);
    this.notional = plusExact(this.notional, notional);
    if (owner.user === null) return;
    if (ordersBefore === 0) this.wallets += 1;
    if (owner.orders === 0) this.wallets -= 1;
    this.squares.replace(szBefore, owner.sz);
    this.leaders.note(owner);
  }

  private place(owner: OwnerNear, timestamp: number): void {
    owner.placed.push(timestamp);
    owner.middle = undefined;
  }

  /** Returns false if no order of the owner was placed then. */
  private unplace(owner: OwnerNear, timestamp: number): boolean {
    const { placed } = owner;
    const at = placed.indexOf(timestamp);
    if (at < 0) return false;
    placed[at] = placed[placed.length - 1] as number;
    placed.pop();
    owner.middle = undefined;
    return true;
  }
}

/** What is kept about a book's owners between reads of a range, so that the next read is cheap. */
export class OwnersMemory {
  readonly bids = new NearTally('B');
  readonly asks = new NearTally('A');

  /** Takes all changes of a block that was applied to a book. The next read of that book then costs only as much as they do. */
  note(book: L4Book, events: readonly FlowEvent[]): void {
    this.bids.note(book, events);
    this.asks.note(book, events);
  }
}

interface Scaled {
  readonly range: PriceRange;
  readonly pxScale: number;
  readonly szScale: number;
}

function isSameScale(cursor: OrderCursor, { pxScale, szScale }: Pick<Scaled, 'pxScale' | 'szScale'>): boolean {
  return cursor.pxScale === pxScale && cursor.szScale === szScale;
}
