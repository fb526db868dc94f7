import type { Side } from '@l4desk/protocol';
import type { Order } from '../engine/order.ts';
import {
  type Behaviour,
  drawCloid,
  drawLots,
  drawSide,
  type Floor,
  otherSide,
  passivePx,
  stepsBehind,
} from './floor.ts';
import type { Wallet } from './wallet.ts';

/** Distance of the triggers from the price, in millionths of it. */
const NEAREST = 20;
const FARTHEST = 500;

/** How far through the book a market order's limit price is, in millionths. */
const SLIPPAGE = 50_000;

/** A trader abandons a trade after about this many acts. */
const LASTS = 30;

/** The open orders of one trader's current trade on a coin. */
interface Trade {
  readonly wallet: Wallet;
  orders: readonly Order[];
}

/**
 * Traders that use trigger orders. They open a position with a stop and a take-profit around it (one cancels the other),
 * rest an order with both as its legs, or place a stop-limit or take-profit-limit order that rests once it fires
 * (BOOK-4).
 */
export class Brackets implements Behaviour {
  readonly #floor: Floor;
  readonly #trades: readonly Trade[];

  constructor(floor: Floor, traders: readonly Wallet[]) {
    this.#floor = floor;
    this.#trades = traders.map((wallet): Trade => ({ wallet, orders: [] }));
  }

  /** Rests an order with legs for every trader, for the book that the market starts with. */
  open(): void {
    for (const trade of this.#trades) trade.orders = this.#planned(trade.wallet);
  }

  act(): void {
    const { random, engine } = this.#floor;
    const trade = random.pick(this.#trades);
    trade.orders = trade.orders.filter((order) => order.state === 'waiting' || order.state === 'resting');
    if (trade.orders.length === 0) trade.orders = this.#begin(trade.wallet);
    else if (random.chance(1, LASTS)) for (const order of trade.orders) engine.cancel(order);
  }

  #begin(wallet: Wallet): readonly Order[] {
    const { random } = this.#floor;
    const lots = drawLots(random, this.#floor.fair.px, 8);
    const kind = random.int(5);
    if (kind === 0) return this.#planned(wallet);
    return kind < 3 ? this.#bracket(wallet, lots) : [this.#entry(wallet, lots)];
  }

  /** A resting order with a stop and a take-profit that are armed once it is filled. */
  #planned(wallet: Wallet): readonly Order[] {
    const { engine, random, fair } = this.#floor;
    const side = drawSide(random);
    const exit = otherSide(side);
    const px = passivePx(this.#floor, side, stepsBehind(this.#floor, side, fair.px, 2 + random.octave(7)));
    const stopPx = this.#away(exit, px);
    const profitPx = this.#away(side, px);
    const order = engine.place({
      account: wallet,
      side,
      px,
      lots: drawLots(random, px, 8),
      tif: 'Gtc',
      cloid: random.chance(1, 2) ? drawCloid(random) : null,
      legs: [
        { ...this.#profit(exit, profitPx), cloid: random.chance(1, 2) ? drawCloid(random) : null },
        this.#stop(exit, stopPx),
      ],
    });
    return [order, ...order.children];
  }

  /** A position with a stop and a take-profit, both reduce-only. */
  #bracket(wallet: Wallet, lots: number): readonly Order[] {
    const { engine, random, fair } = this.#floor;
    const side = drawSide(random);
    const best = engine.oppositeOf(side).best();
    if (best === undefined) return [];
    const reach = stepsBehind(this.#floor, otherSide(side), best.px, 40);
    engine.place({ account: wallet, side, px: reach, lots, tif: 'Ioc', cloid: drawCloid(random) });
    const exit = otherSide(side);
    const held = engine.positions.reducible(wallet, exit);
    if (held === 0) return [];
    const stopPx = this.#away(exit, fair.px);
    const profitPx = this.#away(otherSide(exit), fair.px);
    const positionWide = random.chance(1, 2);
    const both = { account: wallet, side: exit, lots: held, tif: 'Gtc', reduceOnly: true } as const;
    const stop = engine.place({ ...both, ...this.#stop(exit, stopPx), isPositionTpsl: positionWide });
    const profit = engine.place({
      ...both,
      ...this.#profit(exit, profitPx),
      isPositionTpsl: positionWide,
      ...(positionWide ? {} : { px: profitPx, orderType: 'Take Profit Limit', cloid: drawCloid(random) }),
    });
    if (stop.state === 'waiting' && profit.state === 'waiting') {
      stop.sibling = profit;
      profit.sibling = stop;
    }
    return [stop, profit];
  }

  /** A stop order that enters the book when the price reaches its trigger. Most of them rest behind the price. */
  #entry(wallet: Wallet, lots: number): Order {
    const { engine, random, fair } = this.#floor;
    const side = drawSide(random);
    const triggerPx = this.#away(side, fair.px);
    const market = random.chance(1, 4);
    return engine.place({
      account: wallet,
      side,
      px: market ? this.#through(side, triggerPx) : stepsBehind(this.#floor, side, triggerPx, random.octave(5)),
      lots: market ? lots * 64 : lots,
      tif: 'Gtc',
      orderType: market ? 'Stop Market' : 'Stop Limit',
      cloid: random.chance(1, 2) ? drawCloid(random) : null,
      trigger: { px: triggerPx, when: side === 'B' ? 'above' : 'below' },
    });
  }

  /** A take-profit that closes a position with an order of side `exit`. */
  #profit(exit: Side, px: number) {
    const trigger = { px, when: exit === 'A' ? 'above' : 'below' } as const;
    return { px: this.#through(exit, px), orderType: 'Take Profit Market', trigger } as const;
  }

  #stop(exit: Side, px: number) {
    const trigger = { px, when: exit === 'A' ? 'below' : 'above' } as const;
    return { px: this.#through(exit, px), orderType: 'Stop Market', trigger } as const;
  }

  /** A trigger price at some distance from `px`, on the losing side for an exit: below it for side A, above it for side B. */
  #away(side: Side, px: number): number {
    return this.#beyond(side, px, this.#floor.random.between(NEAREST, FARTHEST));
  }

  /** The limit price of a market order of that side: far through the book. */
  #through(side: Side, px: number): number {
    return this.#beyond(side, px, SLIPPAGE);
  }

  #beyond(side: Side, px: number, millionths: number): number {
    const { scale } = this.#floor.engine;
    const distance = Math.max(1, Math.floor((px * millionths) / 1_000_000));
    return side === 'A' ? scale.snap(px - distance, 'down') : scale.snap(px + distance, 'up');
  }
}
