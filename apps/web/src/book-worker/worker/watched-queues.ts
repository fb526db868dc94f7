import { parseBigUnits } from '@l4desk/decimal';
import { type QueueEvent, type QueueLife, QueueLives, queuePlacesOf } from '@l4desk/insight';
import { type Address, type DecimalString, lowerCaseAddress } from '@l4desk/protocol';
import type { QueuesAnswer, QueuesAsk, WatchedOrder } from '../panes/queues.ts';
import type { BookAt, ShownBook } from './panes/pane-context.ts';

/** Prices are compared as whole multiples of 10 to the minus this: finer than any that an exchange has. */
const PX_SCALE = 18;

/** The queues in which orders of the watched wallets rest, followed along the live book. */
export class WatchedQueues {
  #lives = new QueueLives();
  #wallets: readonly Address[] = [];
  /** The last block that the queues are of; undefined before there is a book. */
  #at: { readonly epoch: string; readonly seq: number } | undefined;

  /** Watches these wallets and no others. */
  watch(wallets: readonly Address[], live: BookAt | undefined): void {
    this.#wallets = wallets.map(lowerCaseAddress);
    if (live !== undefined) this.#lives.watch(live.book, this.#wallets, momentOf(live));
    if (live !== undefined && this.#at === undefined) this.#at = live.position;
  }

  /** Another coin. */
  forget(): void {
    this.#lives = new QueueLives();
    this.#at = undefined;
  }

  /**
   * A block was applied to the live book. `events` are its changes, undefined where nobody read them; then, and behind
   * blocks that were not seen, what is known of the queues begins anew.
   */
  onBlock(live: BookAt, prevSeq: number, events: readonly QueueEvent[] | undefined): void {
    const { epoch, seq } = live.position;
    const isNext = this.#at?.epoch === epoch && this.#at.seq === prevSeq;
    this.#at = { epoch, seq };
    if (isNext && events !== undefined) this.#lives.apply(live.book, events, momentOf(live));
    else this.#lives.reset(live.book, this.#wallets, momentOf(live));
  }

  answer({ book, position, frozen }: ShownBook, { serial, limit }: QueuesAsk): QueuesAnswer {
    const isLive = !frozen && this.#at?.seq === position.seq && this.#at.epoch === position.epoch;
    const orders = isLive ? this.#followed(limit) : undefined;
    if (orders !== undefined) return { serial, height: position.height, unfollowed: 0, ...orders };
    const places = [...queuePlacesOf(book, this.#wallets)].flatMap(([user, own]) =>
      own.map(
        (place): WatchedOrder => ({ ...place, user, life: isLive ? (this.#lives.life(place.oid) ?? null) : null }),
      ),
    );
    const shown = asLadder(places, limit, ({ limitPx }) => limitPx);
    return { serial, height: position.height, orders: shown, total: places.length, unfollowed: this.#lives.unfollowed };
  }

  /** The orders nearest to the mid with what is known of them; undefined where some are not followed. */
  #followed(limit: number): Pick<QueuesAnswer, 'orders' | 'total'> | undefined {
    if (this.#lives.unfollowed > 0) return undefined;
    const followed = [...this.#lives.followed()];
    const shown = asLadder(followed, limit, ({ px }) => px);
    const lives = shown.flatMap(({ oid }) => this.#lives.life(oid) ?? []);
    return { orders: lives.map(orderOf), total: followed.length };
  }
}

function momentOf({ position }: BookAt): { readonly height: number; readonly time: number } {
  return { height: position.height, time: position.blockTime };
}

function orderOf(life: QueueLife): WatchedOrder {
  const { oid, user, side, px, sz, ahead, level } = life;
  const place = { ordersAhead: ahead.orders, szAhead: ahead.sz, levelOrders: level.orders, levelSz: level.sz };
  return { oid, user, side, limitPx: px, sz, ...place, life };
}

/** The nearest orders of each side, from the highest price down; at one price bids and asks from the front of the queue. */
function asLadder<Order extends { readonly side: 'A' | 'B' }>(
  orders: readonly Order[],
  limit: number,
  pxOf: (order: Order) => DecimalString,
): readonly Order[] {
  const keyed = orders.map((order) => ({ order, px: unitsOf(pxOf(order)) }));
  const near = (side: 'A' | 'B', sign: bigint) =>
    keyed
      .filter(({ order }) => order.side === side)
      .sort((a, b) => Number(sign * (a.px - b.px)))
      .slice(0, limit);
  return [...near('A', 1n), ...near('B', -1n)].sort((a, b) => Number(b.px - a.px)).map(({ order }) => order);
}

function unitsOf(px: DecimalString): bigint {
  return parseBigUnits(px, PX_SCALE) ?? 0n;
}
