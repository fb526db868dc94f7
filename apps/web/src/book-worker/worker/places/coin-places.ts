import type { CoinState } from '@l4desk/client';
import { type FlowEvent, QUEUE_LIVES_MAX, type QueuePart } from '@l4desk/insight';
import { type Address, lowerCaseAddress } from '@l4desk/protocol';
import type { BookAt } from '../book-at.ts';
import { type WatchedOrder, WatchedQueues } from '../watched-queues.ts';
import { type GoneOrder, GoneOrders } from './gone-orders.ts';

/** Where an order rests. `inserted`: what came to rest in front of it since it has been followed; null if unknown. */
export interface PlacedOrder extends Pick<WatchedOrder, 'oid' | 'ordersAhead' | 'szAhead' | 'levelOrders' | 'levelSz'> {
  readonly inserted: QueuePart | null;
}

export interface CoinPlaces {
  readonly coin: string;
  /** State of the book: places are current only in state `live`. */
  readonly state: CoinState['kind'];
  readonly detail: string;
  readonly height: number | undefined;
  readonly orders: readonly PlacedOrder[];
  readonly gone: readonly GoneOrder[];
  /** Number of their resting orders, including those not listed because there are too many. */
  readonly total: number;
}

/** The orders of some wallets in one coin's book: their places, and which of them left. */
export class CoinPlacesWatch {
  readonly coin: string;
  readonly #queues = new WatchedQueues();
  readonly #gone = new GoneOrders();
  #users: ReadonlySet<Address> = new Set();

  constructor(coin: string) {
    this.coin = coin;
  }

  watch(wallets: readonly Address[], live: BookAt | undefined): void {
    this.#users = new Set(wallets.map(lowerCaseAddress));
    this.#queues.watch(wallets, live);
  }

  /** A block was applied. `events` are its changes; undefined if they were not read. */
  onBlock(live: BookAt, prevSeq: number, events: readonly FlowEvent[] | undefined): void {
    this.#queues.onBlock(live, prevSeq, events);
    if (events !== undefined) this.#gone.note(live, events, this.#users);
  }

  places(live: BookAt | undefined, state: Pick<CoinState, 'kind' | 'detail'>): CoinPlaces {
    const { coin } = this;
    const about = { coin, state: state.kind, detail: state.detail };
    if (live === undefined) return { ...about, height: undefined, orders: [], gone: [], total: 0 };
    const { orders, total } = this.#queues.list({ ...live, frozen: false }, QUEUE_LIVES_MAX);
    const { height } = live.position;
    return { ...about, height, orders: orders.map(placed), gone: this.#gone.all(), total };
  }
}

/** Only what the page shows of an order: thousands of them are sent. */
function placed({ oid, ordersAhead, szAhead, levelOrders, levelSz, life }: WatchedOrder): PlacedOrder {
  return { oid, ordersAhead, szAhead, levelOrders, levelSz, inserted: life?.insertedAhead ?? null };
}
