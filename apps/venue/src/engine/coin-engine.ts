import type { KnownOrderType, Side } from '@l4desk/protocol';
import { BookSide } from './book-side.ts';
import { type EngineBlock, type EngineDiff, type EngineFill, type EngineStatus, tidOf } from './events.ts';
import {
  type Account,
  type CancelReason,
  type Level,
  type Market,
  Order,
  type OrderFields,
  type StatusName,
  type Tif,
  type Trigger,
} from './order.ts';
import { closedPnl, Positions } from './positions.ts';
import { DEFAULT_RULES, type EngineRules, firedRefusalOf, isReached, refusalOf } from './rules.ts';
import type { CoinScale } from './scale.ts';

export interface PlaceRequest {
  readonly account: Account;
  readonly side: Side;
  /** Limit price in ticks; for a market order, the worst price at which it may trade. */
  readonly px: number;
  readonly lots: number;
  readonly tif: Tif;
  readonly orderType?: KnownOrderType;
  readonly reduceOnly?: boolean;
  readonly isPositionTpsl?: boolean;
  readonly cloid?: number | null;
  readonly trigger?: Trigger;
  readonly priority?: boolean;
  /** A take-profit and a stop-loss that are armed once this order is filled. */
  readonly legs?: readonly LegRequest[];
}

/** A leg of an order: opposite side, same size, reduce-only. */
export interface LegRequest {
  readonly px: number;
  readonly orderType: KnownOrderType;
  readonly trigger: Trigger;
  readonly cloid?: number | null;
}

/**
 * One in this many filled makers leaves with an `update` to zero before its `remove`, as the exchange sometimes writes it
 * (BOOK-7).
 */
const ZERO_UPDATE_EVERY = 4;

/** Matches the orders of one coin by price and time, on whole numbers, and reports each event as the exchange does. */
export class CoinEngine implements Market {
  readonly name: string;
  readonly scale: CoinScale;
  readonly bids = new BookSide('B');
  readonly asks = new BookSide('A');
  readonly positions = new Positions();
  readonly #rules: EngineRules;
  readonly #nextOid: () => number;
  /** Trigger orders outside the book, in the order of their oids. */
  readonly #waiting = new Set<Order>();
  #time = 0;
  #lastPx = 0;
  #makersFilled = 0;
  readonly #volume = { lots: 0, notional: 0 };
  #diffs: EngineDiff[] = [];
  #statuses: EngineStatus[] = [];
  #fills: EngineFill[] = [];

  constructor(name: string, scale: CoinScale, nextOid: () => number, rules: EngineRules = DEFAULT_RULES) {
    this.name = name;
    this.scale = scale;
    this.#nextOid = nextOid;
    this.#rules = rules;
  }

  get orderCount(): number {
    return this.bids.orderCount + this.asks.orderCount;
  }

  /** The mid price in ticks, rounded down. For an empty or one-sided book: the last traded price, else the best resting price. */
  get mark(): number {
    const bid = this.bids.best();
    const ask = this.asks.best();
    if (bid !== undefined && ask !== undefined) return Math.floor((bid.px + ask.px) / 2);
    return this.#lastPx > 0 ? this.#lastPx : ((bid ?? ask)?.px ?? 0);
  }

  /** Volume traded since the start. */
  get volume(): { readonly lots: number; readonly notional: number } {
    return this.#volume;
  }

  sideOf(side: Side): BookSide {
    return side === 'B' ? this.bids : this.asks;
  }

  oppositeOf(side: Side): BookSide {
    return side === 'B' ? this.asks : this.bids;
  }

  /** Sets the time, in ms, of every order until the next block begins. */
  beginBlock(time: number): void {
    this.#time = time;
  }

  /** Returns everything that happened since the last `takeBlock`. */
  takeBlock(): EngineBlock {
    const block = { diffs: this.#diffs, statuses: this.#statuses, fills: this.#fills };
    this.#diffs = [];
    this.#statuses = [];
    this.#fills = [];
    return block;
  }

  /**
   * Places an order. It is refused, waits for its trigger, is filled, rests, or is filled in part and rests with what is
   * left: see `state` and `lots` of the returned order.
   */
  place(request: PlaceRequest): Order {
    const { trigger = null, tif } = request;
    const order = this.#newOrder(request, {
      timestamp: this.#time,
      tif: trigger === null ? tif : null,
      trigger,
      fired: false,
      priority: request.priority ?? false,
    });
    const refusal = refusalOf(this, this.#rules, order, tif);
    if (refusal !== null) {
      this.#report(refusal, order, order.lots);
      order.state = 'gone';
      return order;
    }
    this.#report('open', order, order.lots);
    if (trigger !== null) {
      this.#wait(order);
      this.#waiting.add(order);
      return order;
    }
    if (request.legs !== undefined) this.#attach(order, request.legs);
    this.#clipToPosition(order);
    this.#match(order, order.px);
    this.#settle(order, order, tif === 'Gtc' || tif === 'Alo');
    return order;
  }

  /** Cancels a resting or waiting order. Returns false if it is already gone. */
  cancel(order: Order, reason: CancelReason = 'canceled'): boolean {
    if (order.state === 'waiting') {
      this.#stopWaiting(order);
      this.#report(reason, order, order.lots);
      return true;
    }
    if (order.state !== 'resting') return false;
    this.#report(reason, order, order.lots);
    this.#leave(order);
    this.#endParent(order, false);
    return true;
  }

  /**
   * Replaces an order: cancels the old one and places a new oid under the same cloid, with a queue position of its own
   * (BOOK-9).
   */
  modify(order: Order, change: { readonly px: number; readonly lots: number; readonly tif: Tif }): Order {
    this.cancel(order);
    const { account, side, orderType, reduceOnly, cloid, priority } = order;
    return this.place({ account, side, orderType, reduceOnly, cloid, priority, ...change });
  }

  /** Fires the trigger orders whose trigger price the mark price has reached. */
  fireTriggers(): void {
    if (this.#waiting.size === 0) return;
    const mark = this.mark;
    const reached = [...this.#waiting].filter((order) => isReached(order, mark));
    for (const order of reached) {
      // Its sibling, fired earlier in this round, may have canceled it.
      if (order.state === 'waiting') this.#fire(order, mark);
    }
  }

  /** Rests an order without matching or reporting it, for the book that the market starts with. It must not cross. */
  seed(request: PlaceRequest & { readonly timestamp: number; readonly fired?: boolean }): Order {
    const { timestamp, tif, fired = false } = request;
    const order = this.#newOrder(request, { timestamp, tif, trigger: null, fired, priority: false });
    if (this.oppositeOf(order.side).isCrossedBy(order.px)) throw new Error(`a seeded order at ${order.px} would cross`);
    this.#rest(order);
    return order;
  }

  #newOrder(
    request: PlaceRequest,
    more: Pick<OrderFields, 'timestamp' | 'tif' | 'trigger' | 'fired' | 'priority'>,
  ): Order {
    const { account, side, px, lots } = request;
    const { orderType = 'Limit', reduceOnly = false, isPositionTpsl = false, cloid = null } = request;
    const terms = { account, side, px, lots, orderType, reduceOnly, isPositionTpsl, cloid };
    return new Order({ market: this, oid: this.#nextOid(), ...terms, ...more });
  }

  /** Lets a trigger order wait outside the book. A leg is not armed until its parent is filled. */
  #wait(order: Order): void {
    order.state = 'waiting';
    order.account.open.add(order);
  }

  /** Ends the wait of a trigger order. */
  #stopWaiting(order: Order): void {
    this.#waiting.delete(order);
    order.account.open.delete(order);
    order.state = 'gone';
  }

  /** Creates the legs of an order, not yet armed. The first two are each other's siblings. */
  #attach(parent: Order, legs: readonly LegRequest[]): void {
    const children = legs.map((leg) => {
      const { account, lots } = parent;
      const { trigger } = leg;
      const child = this.#newOrder(
        { ...leg, account, lots, side: parent.side === 'B' ? 'A' : 'B', tif: 'Gtc', reduceOnly: true },
        { timestamp: this.#time, tif: null, trigger, fired: false, priority: false },
      );
      this.#report('open', child, child.lots);
      this.#wait(child);
      return child;
    });
    const [first, second] = children;
    if (first !== undefined && second !== undefined) {
      first.sibling = second;
      second.sibling = first;
    }
    parent.children = children;
  }

  /** Arms the legs of a filled order, or cancels those of an order that ended otherwise. */
  #endParent({ children }: Order, filled: boolean): void {
    for (const child of children) {
      if (child.state !== 'waiting') continue;
      if (filled) this.#waiting.add(child);
      else this.cancel(child);
    }
  }

  #fire(waiting: Order, mark: number): void {
    this.#stopWaiting(waiting);
    this.#report('triggered', waiting, waiting.lots);
    if (waiting.sibling !== null) this.cancel(waiting.sibling, 'siblingFilledCanceled');
    const refusal = firedRefusalOf(this, this.#rules, waiting);
    if (refusal !== null) {
      this.#report(refusal, waiting, waiting.lots);
      return;
    }
    const { oid, account, side, lots, orderType, reduceOnly, isPositionTpsl, cloid, priority } = waiting;
    const terms = { oid, account, side, lots, orderType, reduceOnly, isPositionTpsl, cloid, priority };
    const px = isMarketType(orderType) ? this.#bandPx(waiting, mark) : waiting.px;
    const fired = { timestamp: this.#time, tif: 'Gtc', trigger: null, fired: true } as const;
    const order = new Order({ market: this, ...terms, px, ...fired });
    this.#clipToPosition(order);
    this.#match(order, order.px);
    this.#settle(order, waiting, true);
  }

  /**
   * The worst price at which a fired market order may trade. What is left rests at this price, not at its limit price
   * (BOOK-4).
   */
  #bandPx(order: Order, mark: number): number {
    const band = Math.floor((mark * this.#rules.marketBand) / 1_000_000);
    return order.side === 'B'
      ? Math.min(order.px, this.scale.snap(mark + band, 'down'))
      : Math.max(order.px, this.scale.snap(mark - band, 'up'));
  }

  #clipToPosition(order: Order): void {
    if (order.reduceOnly) order.lots = Math.min(order.lots, this.positions.reducible(order.account, order.side));
  }

  #match(taker: Order, limit: number): void {
    const opposite = this.oppositeOf(taker.side);
    while (taker.lots > 0 && opposite.isCrossedBy(limit)) {
      const maker = (opposite.best() as Level).first as Order;
      if (maker.account === taker.account) {
        this.cancel(maker, 'selfTradeCanceled');
        continue;
      }
      const room = maker.reduceOnly
        ? Math.min(this.positions.reducible(maker.account, maker.side), maker.lots)
        : maker.lots;
      if (room === 0) this.cancel(maker, 'reduceOnlyCanceled');
      else this.#trade(maker, taker, Math.min(taker.lots, room));
    }
  }

  #trade(maker: Order, taker: Order, lots: number): void {
    const side = this.sideOf(maker.side);
    const before = maker.lots;
    side.reduce(maker, lots);
    taker.lots -= lots;
    const tid = tidOf(taker, this.#fills.length);
    for (const order of [taker, maker]) {
      const { account, side: bought } = order;
      const start = this.positions.of(account);
      this.positions.add(account, bought === 'B' ? lots : -lots, maker.px);
      const end = this.positions.of(account);
      const about = { order, px: maker.px, lots, time: this.#time, tid, crossed: order === taker };
      account.fills.add({ ...about, startLots: start.lots, closedPnl: closedPnl(start, end) });
    }
    this.#volume.lots += lots;
    this.#volume.notional += this.scale.notional(maker.px, lots);
    this.#lastPx = maker.px;
    this.#fills.push({ maker, taker, px: maker.px, lots });
    if (maker.lots > 0) {
      this.#diffs.push({ kind: 'resize', order: maker, fromLots: before, toLots: maker.lots });
      return;
    }
    this.#makersFilled += 1;
    if (this.#makersFilled % ZERO_UPDATE_EVERY === 0) {
      this.#diffs.push({ kind: 'resize', order: maker, fromLots: before, toLots: 0 });
    }
    this.#report('filled', maker, 0);
    this.#leave(maker);
    this.#endParent(maker, true);
  }

  /**
   * Ends matching: the order is filled, rests with what is left, or what is left is canceled. `shown` is the order that
   * its statuses show.
   */
  #settle(order: Order, shown: Order, mayRest: boolean): void {
    if (order.lots === 0) {
      order.state = 'gone';
      this.#report('filled', shown, 0);
      this.#endParent(order, true);
    } else if (mayRest) {
      const insertBefore = this.#rest(order);
      this.#diffs.push({ kind: 'insert', order, lots: order.lots, insertBefore });
    } else {
      order.state = 'gone';
      this.#report('canceled', shown, order.lots);
      this.#endParent(order, false);
    }
  }

  #rest(order: Order): number | null {
    order.state = 'resting';
    order.account.open.add(order);
    return this.sideOf(order.side).insert(order);
  }

  #leave(order: Order): void {
    this.sideOf(order.side).remove(order);
    order.state = 'gone';
    order.account.open.delete(order);
    this.#diffs.push({ kind: 'remove', order });
  }

  #report(status: StatusName, order: Order, lots: number): void {
    const reported: EngineStatus = { status, order, lots, time: this.#time };
    this.#statuses.push(reported);
    order.account.history.add(reported);
  }
}

function isMarketType(orderType: KnownOrderType): boolean {
  return orderType === 'Stop Market' || orderType === 'Take Profit Market';
}
