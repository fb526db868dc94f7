// An order, the account it belongs to and the level it rests in name each other: they stand together.
import type { Address, KnownOrderStatus, KnownOrderType, KnownTif, Side } from '@l4desk/protocol';
import { History } from './history.ts';
import type { CoinScale } from './scale.ts';

/** What an order is for: its name on the wire and the whole numbers its prices and sizes are counted in. */
export interface Market {
  readonly name: string;
  readonly scale: CoinScale;
}

/** Time in force of what is placed here; the exchange gives liquidations one of their own. */
export type Tif = Exclude<KnownTif, 'LiquidationMarket'>;

/** Keeps an order in a list of its own and is called when it has left the book. */
export interface OrderKeeper {
  release(order: Order): void;
}

/** When an order that waits outside the book enters it: once the mark price is at or past `px` on the side that `when` names. */
export interface Trigger {
  readonly px: number;
  readonly when: 'above' | 'below';
}

/** Why an order leaves before it is filled. */
export type CancelReason =
  | 'canceled'
  | 'selfTradeCanceled'
  | 'reduceOnlyCanceled'
  | 'siblingFilledCanceled'
  | 'scheduledCancel'
  | 'marginCanceled';

/** Why an order is refused. */
export type RejectReason =
  | 'tickRejected'
  | 'minTradeNtlRejected'
  | 'perpMarginRejected'
  | 'reduceOnlyRejected'
  | 'badAloPxRejected'
  | 'iocCancelRejected'
  | 'badTriggerPxRejected'
  | 'marketOrderNoLiquidityRejected'
  | 'tooManyOpenOrdersRejected'
  | 'insufficientSpotBalanceRejected';

/** What the engine says of an order's life; the exchange knows more. */
export type StatusName = 'open' | 'filled' | 'triggered' | CancelReason | RejectReason;

/** `waiting` is a trigger order outside the book; `resting` is in the book; `gone` never comes back. */
export type OrderState = 'new' | 'waiting' | 'resting' | 'gone';

/** What an order is made with. */
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

/** One order: what it was placed with, how much is left, and its place in the queue while it rests. */
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
  /** True for the order that a fired trigger order has become. */
  readonly fired: boolean;
  /** Rests ahead of every order of its level that has no priority: the engine's source of `insertBefore` (L4-28). */
  readonly priority: boolean;
  /** Lots not yet filled. */
  lots: number;
  state: OrderState = 'new';
  /** The other leg of a take-profit and stop-loss pair: fired, one cancels the other. */
  sibling: Order | null = null;
  /** Take-profit and stop-loss legs: they wait for this order to be filled, and end with it if it is not. */
  children: readonly Order[] = NO_CHILDREN;
  /** Who keeps it, and where in its list. */
  keeper: OrderKeeper | null = null;
  keptAt = 0;
  /** The level and the neighbours in its queue, kept by the book side. */
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

/** A price with its queue: first come, first served, save that orders with priority stand before those without. */
export interface Level {
  readonly px: number;
  lots: number;
  count: number;
  first: Order | null;
  last: Order | null;
  /** The foremost order without priority: the place where one with priority joins. */
  firstPlain: Order | null;
}

/** One step of an order's life: its status, and when; `lots` is what was left then. */
export interface HistoryEntry {
  readonly status: KnownOrderStatus;
  readonly order: Order;
  readonly lots: number;
  /** ms since the Unix epoch. */
  readonly time: number;
}

export interface AccountFields {
  readonly address: Address;
  readonly buyingPower: number;
  /** Entries of its order history that are kept. */
  readonly historyMax?: number;
}

/** What the exchange gives of a wallet's history at most, and so the most that is worth keeping. */
export const HISTORY_MAX = 2_000;

/** Who places orders. The engine knows an account by its address, holds it to its limits, and keeps what it has open and had. */
export class Account {
  readonly address: Address;
  /** The largest notional of one perp order that is not reduce-only, in millionths of a dollar. */
  readonly buyingPower: number;
  /** Orders resting or waiting for a trigger, over all coins, in order of entry. */
  readonly open = new Set<Order>();
  readonly history: History<HistoryEntry>;

  constructor({ address, buyingPower, historyMax = HISTORY_MAX }: AccountFields) {
    this.address = address;
    this.buyingPower = buyingPower;
    this.history = new History(historyMax);
  }
}
