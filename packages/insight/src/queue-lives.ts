import type { L4Book } from '@l4desk/book';
import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import { type Address, type DecimalString, lowerCaseAddress, type Side } from '@l4desk/protocol';
import { powerOfTen, shortest } from './amounts.ts';
import {
  beginLife,
  countInsert,
  countLoss,
  type Life,
  type LifeLevel,
  printLife,
  type QueueEvent,
  type QueueLife,
  type QueueMoment,
  rescaleLife,
} from './queue-life.ts';
import { QueueOrders } from './queue-orders.ts';
import { queuePlacesOf } from './queue-places.ts';

/** The front-most order of watched wallets at one price. */
export interface QueueFront {
  /** In lower case. */
  readonly user: Address;
  /** In its shortest form. */
  readonly px: DecimalString;
  readonly ordersAhead: number;
  readonly szAhead: DecimalString;
  readonly levelOrders: number;
  /** Number of orders of watched wallets at this price. */
  readonly own: number;
}

/** Maximum number of orders followed. Any more have a place but no life. */
export const QUEUE_LIVES_MAX = 5_000;

/** Prices are compared as whole multiples of 10 to the minus this, which is finer than the prices of any exchange. */
const PX_SCALE = 18;

interface TrackedLevel extends LifeLevel {
  /** The price in units of `10^-PX_SCALE`: sorts levels. */
  readonly rank: bigint;
  readonly queue: QueueOrders;
  readonly lives: Map<number, Life>;
}

/**
 * Follows the queues in which orders of watched wallets rest. A block costs as much as its changes at those levels. A level is
 * read from the book when its first watched order arrives.
 */
export class QueueLives {
  private users: ReadonlySet<Address> = new Set();
  private readonly levels = new Map<string, TrackedLevel>();
  private byOid = new Map<number, Life>();
  /** Orders of watched wallets that are not followed because there are too many. */
  private readonly left = new Set<number>();
  /** Sizes are whole multiples of `10^-scale`. */
  private scale = 0;

  /** How many orders of watched wallets are not followed because there are too many. */
  get unfollowed(): number {
    return this.left.size;
  }

  /** Watches these wallets and no others from now on. Orders that are already followed keep their history. */
  watch(book: L4Book, users: Iterable<Address>, now: QueueMoment): void {
    this.restart(book, users, now, this.byOid);
  }

  /** The same for another book, after unseen blocks: discards what was known of the queues. */
  reset(book: L4Book, users: Iterable<Address>, now: QueueMoment): void {
    this.restart(book, users, now, new Map());
  }

  /** Applies the changes of a block. `book` is the book right after it. */
  apply(book: L4Book, events: readonly QueueEvent[], now: QueueMoment): void {
    if (this.users.size === 0) return;
    for (const [key, own] of this.byLevel(events)) {
      const level = this.levels.get(key) ?? this.openBefore(book, key, own);
      for (const event of own) this.change(level, event, now);
      if (level.lives.size === 0) this.levels.delete(key);
    }
  }

  life(oid: number): QueueLife | undefined {
    const life = this.byOid.get(oid);
    return life && printLife(life, this.scale);
  }

  /** The followed orders of a side nearest to the best price, at most `limit`, best price first. */
  nearest(side: Side, limit: number): readonly QueueLife[] {
    const levels = [...this.levels.values()].filter((level) => level.side === side);
    const sign = side === 'A' ? 1 : -1;
    levels.sort((a, b) => (a.rank === b.rank ? 0 : a.rank < b.rank ? -sign : sign));
    const found: Life[] = [];
    for (const { lives } of levels) {
      if (found.length >= limit) break;
      found.push(...[...lives.values()].sort((a, b) => a.slot.rank - b.slot.rank));
    }
    return found.slice(0, limit).map((life) => printLife(life, this.scale));
  }

  /** The front-most followed order at every price of a side from `low` to `high`, in no particular order. */
  *fronts(side: Side, low: DecimalString, high: DecimalString): Generator<QueueFront, void, undefined> {
    const [from, to] = [parseBigUnits(low, PX_SCALE) ?? 0n, parseBigUnits(high, PX_SCALE) ?? 0n];
    for (const { side: of, rank, px, lives, queue } of this.levels.values()) {
      if (of !== side || rank < from || rank > to) continue;
      let front: Life | undefined;
      for (const life of lives.values()) if (front === undefined || life.slot.rank < front.slot.rank) front = life;
      if (front === undefined) continue;
      const { user, ahead } = front;
      const szAhead = formatUnits(ahead.sz, this.scale);
      yield { user, px, ordersAhead: ahead.orders, szAhead, levelOrders: queue.orders, own: lives.size };
    }
  }

  /** How many orders are followed. */
  get size(): number {
    return this.byOid.size;
  }

  /** What is known of every followed order, in no particular order. */
  *lives(): Generator<QueueLife, void, undefined> {
    for (const life of this.byOid.values()) yield printLife(life, this.scale);
  }

  private restart(book: L4Book, users: Iterable<Address>, now: QueueMoment, known: ReadonlyMap<number, Life>): void {
    this.users = new Set([...users].map(lowerCaseAddress));
    this.levels.clear();
    this.left.clear();
    if (this.users.size === 0) {
      this.byOid = new Map();
      return;
    }
    const owners = new Map<number, Address>();
    // Read all sizes while the known lives are still in `byOid`: a finer size rescales them too.
    for (const [user, places] of queuePlacesOf(book, this.users)) {
      for (const { oid, side, limitPx } of places) {
        owners.set(oid, user);
        this.levelOf(book, side, shortest(limitPx));
      }
    }
    this.byOid = new Map();
    for (const level of this.levels.values()) {
      for (const { slot, ahead } of level.queue.fromFront()) {
        const user = owners.get(slot.oid);
        const kept = known.get(slot.oid);
        if (user === undefined) continue;
        const life = kept ?? beginLife({ user, level, slot, ahead, joined: false, since: now });
        this.enter(level, Object.assign(life, { level, slot }));
      }
    }
  }

  /** The changes of each level in which an order of a watched wallet rests or arrives. */
  private byLevel(events: readonly QueueEvent[]): ReadonlyMap<string, readonly QueueEvent[]> {
    const found = new Map<string, QueueEvent[]>();
    const joined = new Set(events.filter(({ act, user }) => act === 'insert' && this.users.has(user)).map(keyOf));
    for (const event of events) {
      const key = keyOf(event);
      if (!this.levels.has(key) && !joined.has(key)) continue;
      const own = found.get(key);
      if (own === undefined) found.set(key, [event]);
      else own.push(event);
    }
    return found;
  }

  /** The tracked level of a price as the book has it now. */
  private levelOf(book: L4Book, side: Side, px: DecimalString): TrackedLevel {
    const key = `${side}${px}`;
    const known = this.levels.get(key);
    if (known !== undefined) return known;
    const rank = parseBigUnits(px, PX_SCALE) ?? 0n;
    const level: TrackedLevel = { side, rank, px, queue: new QueueOrders(), lives: new Map() };
    this.levels.set(key, level);
    for (const { order } of book.queue(side, px)) level.queue.insert(order.oid, this.units(order.sz), null);
    return level;
  }

  /** The same as it was before a block's changes: undoes them, last one first. */
  private openBefore(book: L4Book, key: string, events: readonly QueueEvent[]): TrackedLevel {
    const level = this.levelOf(book, key.slice(0, 1) as Side, key.slice(1) as DecimalString);
    const { queue } = level;
    for (const { act, oid, from, behind } of events.toReversed()) {
      if (act === 'insert') queue.remove(oid);
      else if (act === 'remove') queue.insert(oid, this.units(from), behind);
      else queue.resize(oid, this.units(from));
    }
    return level;
  }

  private change(level: TrackedLevel, event: QueueEvent, now: QueueMoment): void {
    const { queue, lives } = level;
    const { act, oid } = event;
    if (act === 'insert') {
      const slot = queue.insert(oid, this.units(event.to), event.behind);
      for (const life of lives.values()) countInsert(life, slot);
      if (!this.users.has(event.user)) return;
      const ahead = queue.aheadOf(slot);
      this.enter(level, beginLife({ user: event.user, level, slot, ahead, joined: true, since: now }));
      return;
    }
    const slot = queue.get(oid);
    if (slot === undefined) throw new Error(`${oid} is not in the queue of ${event.level}`);
    const to = act === 'remove' ? 0n : this.units(event.to);
    const lost = slot.sz - to;
    for (const life of lives.values()) countLoss(life, slot, lost, event);
    if (act === 'resize') return queue.resize(oid, to);
    queue.remove(oid);
    lives.delete(oid);
    this.byOid.delete(oid);
    this.left.delete(oid);
  }

  private enter(level: TrackedLevel, life: Life): void {
    const { slot } = life;
    if (this.byOid.size >= QUEUE_LIVES_MAX) {
      this.left.add(slot.oid);
      return;
    }
    this.byOid.set(slot.oid, life);
    level.lives.set(slot.oid, life);
  }

  /** A size in whole units. A size finer than all before it makes the units finer. */
  private units(sz: DecimalString): bigint {
    const decimals = significantDecimalsOf(sz);
    if (decimals > this.scale) {
      const factor = powerOfTen(decimals - this.scale);
      for (const { queue } of this.levels.values()) queue.scale(factor);
      for (const life of this.byOid.values()) rescaleLife(life, factor);
      this.scale = decimals;
    }
    return parseBigUnits(sz, this.scale) as bigint;
  }
}

function keyOf({ side, level }: QueueEvent): string {
  return `${side}${level}`;
}
