import type { L4Book } from '@l4desk/book';
import {
  type OrderPlace,
  type QueueEvent,
  type QueueFront,
  type QueueLife,
  QueueLives,
  queuePlacesOf,
} from '@l4desk/insight';
import { type Address, type DecimalString, lowerCaseAddress, type Side } from '@l4desk/protocol';
import type { BookAt, ShownBook } from './book-at.ts';
import { priceUnits } from './price-units.ts';

/** An order of a watched wallet, and its place in the queue of its price. */
export interface WatchedOrder extends OrderPlace {
  readonly user: Address;
  /**
   * What happened to the queue since the order arrived or has been watched; null for a book that is not the live one, and past
   * the limit.
   */
  readonly life: QueueLife | null;
}

export interface QueuesData {
  /** Nearest to the best price of its side first. */
  readonly orders: readonly WatchedOrder[];
  /** How many orders of watched wallets rest, and how many of them are not followed because there are too many. */
  readonly total: number;
  readonly unfollowed: number;
}

/** The queues in which orders of the watched wallets rest, updated with the live book. */
export class WatchedQueues {
  #lives = new QueueLives();
  #wallets: readonly Address[] = [];
  /** The last block applied to the queues; undefined before there is a book. */
  #at: { readonly epoch: string; readonly seq: number } | undefined;

  /** The foremost orders of a book that is not followed, computed once for all its frames. */
  #counted: { readonly book: L4Book; readonly height: number; readonly fronts: Fronts } | undefined;

  watch(wallets: readonly Address[], live: BookAt | undefined): void {
    this.#counted = undefined;
    this.#wallets = wallets.map(lowerCaseAddress);
    if (live !== undefined) this.#lives.watch(live.book, this.#wallets, momentOf(live));
    if (live !== undefined && this.#at === undefined) this.#at = live.position;
  }

  forget(): void {
    this.#lives = new QueueLives();
    this.#counted = undefined;
    this.#at = undefined;
  }

  /**
   * A block was applied to the live book. `events` are its changes; undefined if they were not read. Then, and after blocks that
   * were not seen, the queues restart from the current book.
   */
  onBlock(live: BookAt, prevSeq: number, events: readonly QueueEvent[] | undefined): void {
    const { epoch, seq } = live.position;
    const isNext = this.#at?.epoch === epoch && this.#at.seq === prevSeq;
    this.#at = { epoch, seq };
    if (isNext && events !== undefined) this.#lives.apply(live.book, events, momentOf(live));
    else this.#lives.reset(live.book, this.#wallets, momentOf(live));
  }

  /** The orders of a shown book, at most `limit` per side. */
  list({ book, position, frozen }: ShownBook, limit: number): QueuesData {
    const lives = this.#lives;
    const isLive = !frozen && this.#isAt(position);
    if (isLive && lives.unfollowed === 0) {
      const near = [...lives.nearest('B', limit), ...lives.nearest('A', limit)];
      const orders = nearestFirst(
        near.map((life) => orderOf(life, book)),
        book,
      );
      return { orders, total: lives.size, unfollowed: 0 };
    }
    const places = this.#placesOf(book, isLive);
    const listed = { B: 0, A: 0 };
    const orders = nearestFirst(places, book).filter(({ side }) => (listed[side] += 1) <= limit);
    return { orders, total: places.length, unfollowed: isLive ? lives.unfollowed : 0 };
  }

  order({ book, position, frozen }: ShownBook, oid: number): WatchedOrder | null {
    const isLive = !frozen && this.#isAt(position);
    const life = isLive ? this.#lives.life(oid) : undefined;
    if (life !== undefined) return orderOf(life, book);
    if (isLive && this.#lives.unfollowed === 0) return null;
    return this.#placesOf(book, isLive).find((order) => order.oid === oid) ?? null;
  }

  #placesOf(book: L4Book, isLive: boolean): readonly WatchedOrder[] {
    return [...queuePlacesOf(book, this.#wallets)].flatMap(([user, own]) =>
      own.map((place) => ({ ...place, user, life: isLive ? (this.#lives.life(place.oid) ?? null) : null })),
    );
  }

  /** The foremost watched order at every price of a side of the shown book from `low` to `high`, unordered. */
  fronts(shown: ShownBook, side: Side, low: DecimalString, high: DecimalString): Iterable<QueueFront> {
    if (this.#wallets.length === 0) return [];
    if (!shown.frozen && this.#isAt(shown.position) && this.#lives.unfollowed === 0) {
      return this.#lives.fronts(side, low, high);
    }
    const { book, position } = shown;
    if (this.#counted?.book !== book || this.#counted.height !== position.height) {
      this.#counted = { book, height: position.height, fronts: frontsOf(book, this.#wallets) };
    }
    const [from, to] = [priceUnits(low), priceUnits(high)];
    return [...this.#counted.fronts[side]].filter(([units]) => units >= from && units <= to).map(([, front]) => front);
  }

  #isAt({ seq, epoch }: BookAt['position']): boolean {
    return this.#at?.seq === seq && this.#at.epoch === epoch;
  }
}

type Fronts = Readonly<Record<Side, ReadonlyMap<bigint, QueueFront>>>;

/** The foremost order of some wallets at every price, read from the whole book. */
function frontsOf(book: L4Book, wallets: readonly Address[]): Fronts {
  const found = { A: new Map<bigint, QueueFront>(), B: new Map<bigint, QueueFront>() };
  for (const [user, places] of queuePlacesOf(book, wallets)) {
    for (const { side, limitPx: px, ordersAhead, szAhead, levelOrders } of places) {
      const key = priceUnits(px);
      const known = found[side].get(key);
      const own = (known?.own ?? 0) + 1;
      const isFirst = known === undefined || ordersAhead < known.ordersAhead;
      found[side].set(key, isFirst ? { user, px, ordersAhead, szAhead, levelOrders, own } : { ...known, own });
    }
  }
  return found;
}

function momentOf({ position }: BookAt): { readonly height: number; readonly time: number } {
  return { height: position.height, time: position.blockTime };
}

/** Price and size are as received, as in any other book: a life has them in their shortest form. */
function orderOf(life: QueueLife, book: L4Book): WatchedOrder {
  const { oid, user, side, ahead, level } = life;
  const { limitPx, sz } = book.order(oid) ?? { limitPx: life.px, sz: life.sz };
  const place = { ordersAhead: ahead.orders, szAhead: ahead.sz, levelOrders: level.orders, levelSz: level.sz };
  return { oid, user, side, limitPx, sz, ...place, life };
}

/** By distance from the best price of the order's own side; at the same distance bids first, and from the front of a queue. */
function nearestFirst(orders: readonly WatchedOrder[], book: L4Book): readonly WatchedOrder[] {
  const best = { B: priceUnits(book.best('B')?.px ?? '0'), A: priceUnits(book.best('A')?.px ?? '0') };
  const keyed = orders.map((order) => {
    const away = priceUnits(order.limitPx) - best[order.side];
    return { order, away: away < 0n ? -away : away };
  });
  keyed.sort((a, b) => (a.away === b.away ? byQueue(a.order, b.order) : a.away < b.away ? -1 : 1));
  return keyed.map(({ order }) => order);
}

function byQueue(a: WatchedOrder, b: WatchedOrder): number {
  return a.side === b.side ? a.ordersAhead - b.ordersAhead : a.side === 'B' ? -1 : 1;
}
