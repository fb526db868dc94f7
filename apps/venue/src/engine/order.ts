import type { Address, Side } from '@l4desk/protocol';
import type { Level } from './book-side.ts';

/** Who places orders. The engine knows an account by its address and holds it to its limits. */
export interface Account {
  readonly address: Address;
  /** The largest notional of one order that is not reduce-only, in millionths of a dollar. */
  readonly buyingPower: number;
  /** Orders resting or waiting for a trigger, over all coins. The engine keeps it. */
  openOrders: number;
}

export type Tif = 'Gtc' | 'Ioc' | 'Alo' | 'FrontendMarket';

export type OrderType = 'Limit' | 'Market' | 'Stop Market' | 'Stop Limit' | 'Take Profit Market' | 'Take Profit Limit';

/** Who keeps an order in a list of its own and is told when it has left the book. */
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
  | 'tooManyOpenOrdersRejected';

/** What the engine says of an order's life; the exchange knows more. */
export type StatusName = 'open' | 'filled' | 'triggered' | CancelReason | RejectReason;

/** `waiting` is a trigger order outside the book; `resting` is in the book; `gone` never comes back. */
export type OrderState = 'new' | 'waiting' | 'resting' | 'gone';

export interface OrderFields {
  readonly oid: number;
  readonly account: Account;
  readonly side: Side;
  readonly px: number;
  readonly lots: number;
  readonly timestamp: number;
  readonly tif: Tif | null;
  readonly orderType: OrderType;
  readonly reduceOnly: boolean;
  readonly isPositionTpsl: boolean;
  /** Client order id as a whole number; printed as 32 hexadecimal digits. */
  readonly cloid: number | null;
  readonly trigger: Trigger | null;
  /** True for the order that a fired trigger order has become. */
  readonly fired: boolean;
  /** Rests ahead of every order of its level that has no priority: the engine's source of `insertBefore` (L4-28). */
  readonly priority: boolean;
}

/** One order: what it was placed with, how much is left, and its place in the queue while it rests. */
export class Order implements OrderFields {
  readonly oid: number;
  readonly account: Account;
  readonly side: Side;
  readonly px: number;
  readonly origLots: number;
  readonly timestamp: number;
  readonly tif: Tif | null;
  readonly orderType: OrderType;
  readonly reduceOnly: boolean;
  readonly isPositionTpsl: boolean;
  readonly cloid: number | null;
  readonly trigger: Trigger | null;
  readonly fired: boolean;
  readonly priority: boolean;
  /** Lots not yet filled. */
  lots: number;
  state: OrderState = 'new';
  /** The other leg of a take-profit and stop-loss pair: fired, one cancels the other. */
  sibling: Order | null = null;
  /** Who keeps it, and where in its list. */
  keeper: OrderKeeper | null = null;
  keptAt = 0;
  /** The level and the neighbours in its queue, kept by the book side. */
  level: Level | null = null;
  ahead: Order | null = null;
  behind: Order | null = null;

  constructor(fields: OrderFields) {
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
