import type { L4Book } from '@l4desk/book';
import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import { type Address, type DecimalString, lowerCaseAddress, type Side } from '@l4desk/protocol';
import { powerOfTen, shortest } from './amounts.ts';
import { QueueOrders, type QueueSlot } from './queue-orders.ts';
import { queuePlacesOf } from './queue-places.ts';

/** One change of a block, as the flow of the block tells it. */
export interface QueueEvent {
  readonly act: 'insert' | 'resize' | 'remove';
  /** Of an order that became smaller or left: whether it was executed. */
  readonly kind: string;
  /** Whether that was concluded from the change, because nothing says it. */
  readonly inferred?: boolean;
  readonly oid: number;
  /** In lower case. */
  readonly user: Address;
  readonly side: Side;
  /** Price in its shortest form. */
  readonly level: DecimalString;
  /** Size before and after; `0` where the order did not rest. */
  readonly from: DecimalString;
  readonly to: DecimalString;
  /** The oid directly behind it, of an order that came to rest or left; null for the back of the queue. */
  readonly behind: number | null;
}

/** A moment of the stream. */
export interface QueueMoment {
  readonly height: number;
  /** Of the block, in ms. */
  readonly time: number;
}

/** A number of orders and their size. */
export interface QueuePart {
  readonly orders: number;
  readonly sz: DecimalString;
}

/**
 * What became of the queue in front of one order since it came to rest, or since it is watched (INS-20). Ahead at first,
 * and what was inserted in front or grew there, is what was executed, cancelled and shrunk, and what is ahead still.
 */
export interface QueueLife {
  readonly oid: number;
  /** In lower case. */
  readonly user: Address;
  readonly side: Side;
  /** Price in its shortest form, and remaining size. */
  readonly px: DecimalString;
  readonly sz: DecimalString;
  /** Whether its coming to rest was seen, and when that was; else since when it is watched. */
  readonly joined: boolean;
  readonly since: QueueMoment;
  readonly aheadAtFirst: QueuePart;
  readonly ahead: QueuePart;
  /** Orders that left, and the size of these and of those that became smaller. */
  readonly executed: QueuePart;
  readonly cancelled: QueuePart;
  /** Size that orders in front of it lost and gained without leaving. */
  readonly shrunk: DecimalString;
  readonly grown: DecimalString;
  /** What came to rest in front of it (`insertBefore`), and behind it. */
  readonly insertedAhead: QueuePart;
  readonly joinedBehind: QueuePart;
  /** What of itself was executed. */
  readonly ownExecuted: DecimalString;
  /** Whether any of these executions, of itself or in front of it, is inferred. */
  readonly inferred: boolean;
  readonly level: QueuePart;
}

/** The foremost order of watched wallets at one price. */
export interface QueueFront {
  /** In lower case. */
  readonly user: Address;
  /** In its shortest form. */
  readonly px: DecimalString;
  readonly ordersAhead: number;
  readonly szAhead: DecimalString;
  readonly levelOrders: number;
  /** How many orders of watched wallets rest there. */
  readonly own: number;
}

/** Most orders that are followed: more have a place and no life. */
export const QUEUE_LIVES_MAX = 5_000;

/** Prices are compared as whole multiples of 10 to the minus this: finer than any that an exchange has. */
const PX_SCALE = 18;

interface Part {
  orders: number;
  sz: bigint;
}

interface Life {
  readonly user: Address;
  slot: QueueSlot;
  level: TrackedLevel;
  readonly joined: boolean;
  readonly since: QueueMoment;
  readonly first: Part;
  readonly ahead: Part;
  readonly executed: Part;
  readonly cancelled: Part;
  readonly insertedAhead: Part;
  readonly joinedBehind: Part;
  shrunk: bigint;
  grown: bigint;
  ownExecuted: bigint;
  inferred: boolean;
}

interface TrackedLevel {
  readonly side: Side;
  /** Orders levels as their prices do. */
  readonly rank: bigint;
  readonly px: DecimalString;
  readonly queue: QueueOrders;
  readonly lives: Map<number, Life>;
}

/**
 * Follows the queues in which orders of watched wallets rest. After each block it takes what changed, at the price of the
 * changes at those levels; a level is read from the book when a first watched order comes to it.
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

  /** Watches these wallets and no others from a moment on; orders that are followed already keep what is known of them. */
  watch(book: L4Book, users: Iterable<Address>, now: QueueMoment): void {
    this.restart(book, users, now, this.byOid);
  }

  /** The same of another book, with blocks unseen between: what was known of the queues is void. */
  reset(book: L4Book, users: Iterable<Address>, now: QueueMoment): void {
    this.restart(book, users, now, new Map());
  }

  /** Takes the changes of a block. `book` stands right after it. */
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
    return life && this.print(life);
  }

  /** What is known of the orders of a side that are nearest to the best price, at most so many: the best price first. */
  nearest(side: Side, limit: number): readonly QueueLife[] {
    const levels = [...this.levels.values()].filter((level) => level.side === side);
    const sign = side === 'A' ? 1 : -1;
    levels.sort((a, b) => (a.rank === b.rank ? 0 : a.rank < b.rank ? -sign : sign));
    const found: Life[] = [];
    for (const { lives } of levels) {
      if (found.length >= limit) break;
      found.push(...[...lives.values()].sort((a, b) => a.slot.rank - b.slot.rank));
    }
    return found.slice(0, limit).map((life) => this.print(life));
  }

  /** The foremost followed order of every price of a side from `low` to `high`, in no order. */
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

  /** What is known of every order that is followed, in no order. */
  *lives(): Generator<QueueLife, void, undefined> {
    for (const life of this.byOid.values()) yield this.print(life);
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
    // All sizes are read while what is known still stands in `byOid`: a finer one makes all of it finer.
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
        if (kept === undefined) this.follow({ user, level, slot, ahead, joined: false, since: now });
        else this.enter(Object.assign(kept, { level, slot }));
      }
    }
  }

  /** The changes of each level in which an order of a watched wallet rests, or comes to rest. */
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

  /** The same as it was in front of a block's changes: they are undone, the last one first. */
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
      this.follow({ user: event.user, level, slot, ahead: queue.aheadOf(slot), joined: true, since: now });
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

  private follow(begun: Pick<Life, 'user' | 'level' | 'slot' | 'ahead' | 'joined' | 'since'>): void {
    this.enter({
      ...begun,
      first: { ...begun.ahead },
      executed: nothing(),
      cancelled: nothing(),
      insertedAhead: nothing(),
      joinedBehind: nothing(),
      shrunk: 0n,
      grown: 0n,
      ownExecuted: 0n,
      inferred: false,
    });
  }

  private enter(life: Life): void {
    const { slot, level } = life;
    if (this.byOid.size >= QUEUE_LIVES_MAX) {
      this.left.add(slot.oid);
      return;
    }
    this.byOid.set(slot.oid, life);
    level.lives.set(slot.oid, life);
  }

  /** A size in whole units; one that is finer than all before makes the units finer. */
  private units(sz: DecimalString): bigint {
    const decimals = significantDecimalsOf(sz);
    if (decimals > this.scale) {
      const factor = powerOfTen(decimals - this.scale);
      for (const { queue } of this.levels.values()) queue.scale(factor);
      for (const life of this.byOid.values()) rescale(life, factor);
      this.scale = decimals;
    }
    return parseBigUnits(sz, this.scale) as bigint;
  }

  private print(life: Life): QueueLife {
    const { user, slot, level, joined, since } = life;
    const size = (sz: bigint) => formatUnits(sz, this.scale);
    const part = ({ orders, sz }: Part): QueuePart => ({ orders, sz: size(sz) });
    return {
      oid: slot.oid,
      user,
      side: level.side,
      px: level.px,
      sz: size(slot.sz),
      joined,
      since,
      aheadAtFirst: part(life.first),
      ahead: part(life.ahead),
      executed: part(life.executed),
      cancelled: part(life.cancelled),
      shrunk: size(life.shrunk),
      grown: size(life.grown),
      insertedAhead: part(life.insertedAhead),
      joinedBehind: part(life.joinedBehind),
      ownExecuted: size(life.ownExecuted),
      inferred: life.inferred,
      level: part(level.queue),
    };
  }
}

function keyOf({ side, level }: QueueEvent): string {
  return `${side}${level}`;
}

function nothing(): Part {
  return { orders: 0, sz: 0n };
}

function count(part: Part, sz: bigint, sign: 1 | -1 = 1): void {
  part.orders += sign;
  part.sz += sign === 1 ? sz : -sz;
}

function countInsert(life: Life, { rank, sz }: QueueSlot): void {
  if (rank > life.slot.rank) return count(life.joinedBehind, sz);
  count(life.insertedAhead, sz);
  count(life.ahead, sz);
}

/** Size that an order of the queue lost: all of it, or a part, or less than nothing where it grew. */
function countLoss(life: Life, slot: QueueSlot, lost: bigint, { act, kind, inferred = false }: QueueEvent): void {
  const isExecuted = kind === 'executed';
  if (slot.rank <= life.slot.rank && isExecuted && inferred && lost > 0n) life.inferred = true;
  if (slot.oid === life.slot.oid) {
    if (isExecuted) life.ownExecuted += lost;
    return;
  }
  if (slot.rank > life.slot.rank) return;
  life.ahead.sz -= lost;
  const leaves = act === 'remove';
  if (leaves) life.ahead.orders -= 1;
  if (isExecuted || leaves) {
    const part = isExecuted ? life.executed : life.cancelled;
    part.sz += lost;
    if (leaves) part.orders += 1;
  } else if (lost > 0n) life.shrunk += lost;
  else life.grown -= lost;
}

function rescale(life: Life, factor: bigint): void {
  for (const part of [life.first, life.ahead, life.executed, life.cancelled, life.insertedAhead, life.joinedBehind]) {
    part.sz *= factor;
  }
  life.shrunk *= factor;
  life.grown *= factor;
  life.ownExecuted *= factor;
}
