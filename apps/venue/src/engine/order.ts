// An order, its account and its level refer to each other, so all three types are in one file.
import type { Address, KnownOrderStatus, KnownOrderType, KnownTif, Side } from '@l4desk/protocol';
import type { CoinScale } from './scale.ts';

/** The market of an order: its name on the wire and the units in which its prices and sizes are counted. */
export interface Market {
  readonly name: string;
  readonly scale: CoinScale;
}

/** Time in force of orders placed here. On the exchange, liquidations have one of their own. */
export type Tif = Exclude<KnownTif, 'LiquidationMarket'>;

/** Keeps orders in a list of its own and is called when one of them leaves the book. */
export interface OrderKeeper {
  release(order: Order): void;
}

/** When a waiting order enters the book: once the mark price is at `px`, or beyond it on the side that `when` names. */
export interface Trigger {
  readonly px: number;
  readonly when: 'above' | 'below';
}

/** Statuses of orders that leave before they are filled, as the exchange names them; the engine reports some. */
export type CancelReason = Extract<KnownOrderStatus, `${string}anceled` | 'scheduledCancel'>;

/** Statuses of refused orders, as the exchange names them; the engine reports some. */
export type RejectReason = Extract<KnownOrderStatus, `${string}Rejected`>;

/** The status that an event of the engine states. */
export type StatusName = 'open' | 'filled' | 'triggered' | CancelReason | RejectReason;

/** `waiting`: a trigger order outside the book. `resting`: in the book. `gone`: never comes back. */
export type OrderState = 'new' | 'waiting' | 'resting' | 'gone';

/** The fields with which an order is created. */
export type OrderFields = Pick<
  Order,
  | 'market'
  | 'oid'
  | 'account'
  | 'side'
  | 'px'
  | 'lots'
  | 'timestamp'
  | 'tif'
  | 'orderType'
  | 'reduceOnly'
  | 'isPositionTpsl'
  | 'cloid'
  | 'trigger'
  | 'fired'
  | 'priority'
>;

const NO_CHILDREN: readonly Order[] = [];

/** One order: the terms it was placed with, the lots left, and its place in the queue while it rests. */
export class Order {
  readonly market: Market;
  readonly oid: number;
  readonly account: Account;
  readonly side: Side;
  readonly px: number;
  readonly origLots: number;
  readonly timestamp: number;
  readonly tif: KnownTif | null;
  readonly orderType: KnownOrderType;
  readonly reduceOnly: boolean;
  readonly isPositionTpsl: boolean;
  /** Client order id as a whole number; printed as 32 hexadecimal digits. */
  readonly cloid: number | null;
  readonly trigger: Trigger | null;
  /** True for the order that a trigger order becomes when it fires. */
  readonly fired: boolean;
  /** Rests ahead of every order at its level without priority: this is how the engine produces `insertBefore` (L4-28). */
  readonly priority: boolean;
  /** Lots not yet filled. */
  lots: number;
  state: OrderState = 'new';
  /** The other leg of a take-profit and stop-loss pair: when one fires, it cancels the other. */
  sibling: Order | null = null;
  /** Take-profit and stop-loss legs: armed once this order is filled, canceled if it ends otherwise. */
  children: readonly Order[] = NO_CHILDREN;
  /** The keeper of this order, and its index in the keeper's list. */
  keeper: OrderKeeper | null = null;
  keptAt = 0;
  /** The level and the neighbours in its queue, maintained by the book side. */
  level: Level | null = null;
  ahead: Order | null = null;
  behind: Order | null = null;

  constructor(fields: OrderFields) {
    this.market = fields.market;
    this.oid = fields.oid;
    this.account = fields.account;
    this.side = fields.side;
    this.px = fields.px;
    this.origLots = fields.lots;
    this.lots = fields.lots;
    this.timestamp = fields.timestamp;
    this.tif = fields.tif;
    this.orderType = fields.orderType;
    this.reduceOnly = fields.reduceOnly;
    this.isPositionTpsl = fields.isPositionTpsl;
    this.cloid = fields.cloid;
    this.trigger = fields.trigger;
    this.fired = fields.fired;
    this.priority = fields.priority;
  }
}

/** A price and its queue: first come, first served, except that orders with priority are ahead of those without. */
export interface Level {
  readonly px: number;
  lots: number;
  count: number;
  first: Order | null;
  last: Order | null;
  /** The first order without priority: an order with priority is inserted before it. */
  firstPlain: Order | null;
}

/** One status change of an order and its time. `lots` is the number of lots left at that time. */
export interface HistoryEntry {
  readonly status: KnownOrderStatus;
  readonly order: Order;
  readonly lots: number;
  /** ms since the Unix epoch. */
  readonly time: number;
}

/** One side of a trade. */
export interface AccountFill {
  readonly order: Order;
  readonly px: number;
  readonly lots: number;
  /** ms since the Unix epoch. */
  readonly time: number;
  /** The same for both sides. */
  readonly tid: number;
  /** Whether the order was the incoming one. */
  readonly crossed: boolean;
  /** The account's position before the trade, in lots. */
  readonly startLots: number;
  /** What closing a part of the position earned, in price times lots. */
  readonly closedPnl: number;
}

export interface AccountFields {
  readonly address: Address;
  readonly buyingPower: number;
  /** How many entries of its order history, and how many of its executions, are kept. */
  readonly historyMax?: number;
}

/** The exchange returns at most this many entries of a wallet's history, so no more are kept. */
export const HISTORY_MAX = 2_000;

/** An account that places orders. The engine enforces its limits and keeps its open orders and its order history. */
export class Account {
  readonly address: Address;
  /** The largest notional of one perp order that is not reduce-only, in millionths of a dollar. */
  readonly buyingPower: number;
  /** Orders resting or waiting for a trigger, over all coins, in order of entry. */
  readonly open = new Set<Order>();
  readonly history: History<HistoryEntry>;
  readonly fills: History<AccountFill>;

  constructor({ address, buyingPower, historyMax = HISTORY_MAX }: AccountFields) {
    this.address = address;
    this.buyingPower = buyingPower;
    this.history = new History(historyMax);
    this.fills = new History(historyMax);
  }
}

/** The most recent entries, in a ring buffer: its size is bounded however long the market runs. */
class History<Entry> {
  readonly #max: number;
  readonly #entries: Entry[] = [];
  /** Index of the oldest entry once the ring is full. */
  #oldest = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.length;
  }

  add(entry: Entry): void {
    if (this.#entries.length < this.#max) {
      this.#entries.push(entry);
      return;
    }
    this.#entries[this.#oldest] = entry;
    this.#oldest = (this.#oldest + 1) % this.#max;
  }

  *newestFirst(): Generator<Entry> {
    const { length } = this.#entries;
    for (let i = 1; i <= length; i += 1) yield this.#entries[(this.#oldest + length - i) % length] as Entry;
  }
}
