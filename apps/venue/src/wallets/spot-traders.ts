import type { Side } from '@l4desk/protocol';
import type { CoinEngine } from '../engine/coin-engine.ts';
import type { Order } from '../engine/order.ts';
import type { Random } from '../engine/random.ts';
import type { FairPrice } from '../market/fair-price.ts';
import { drawSide, passivePx } from './floor.ts';
import type { Wallet } from './wallet.ts';

/** Number of orders that all traders of one pair together keep on each side. */
const ORDERS_A_SIDE = 60;

/** Smallest notional of an order, in hundred-millionths of a dollar. */
const LEAST_NOTIONAL = 1_100_000_000;

/** Traders of one spot pair: they keep orders on both sides, take each other's orders, and follow the price. */
export class SpotTraders {
  readonly #engine: CoinEngine;
  readonly #fair: FairPrice;
  readonly #traders: readonly Wallet[];
  readonly #random: Random;
  readonly #resting: Order[] = [];

  constructor(engine: CoinEngine, fair: FairPrice, traders: readonly Wallet[], random: Random) {
    this.#engine = engine;
    this.#fair = fair;
    this.#traders = traders;
    this.#random = random;
  }

  /** Places every order, for the book that the market starts with. */
  open(): void {
    for (let i = 0; i < ORDERS_A_SIDE * 2; i += 1) this.#rest(i % 2 === 0 ? 'B' : 'A');
  }

  /** Moves one order: cancels the oldest and places a new one. */
  requote(): void {
    const oldest = this.#resting.shift();
    if (oldest !== undefined) this.#engine.cancel(oldest);
    this.#rest(oldest?.side ?? drawSide(this.#random));
    // Makes up for orders that their owner could not pay for.
    if (this.#resting.length < ORDERS_A_SIDE * 2) this.#rest(drawSide(this.#random));
  }

  /** Takes the best level in the direction of the fair price, in part or slightly more than it holds. */
  take(): void {
    const random = this.#random;
    const side = this.#fair.px > this.#engine.mark ? 'B' : 'A';
    const best = this.#engine.oppositeOf(side).best();
    if (best === undefined) return;
    const lots = Math.max(this.#leastLots(best.px), Math.floor((best.lots * random.between(1, 12)) / 10));
    this.#engine.place({
      account: random.pick(this.#traders),
      side,
      px: best.px,
      lots,
      tif: random.chance(3, 4) ? 'Ioc' : 'FrontendMarket',
      orderType: 'Limit',
    });
  }

  #rest(side: Side): void {
    const random = this.#random;
    const { scale } = this.#engine;
    const distance = scale.step(this.#fair.px) * random.octave(7);
    const wanted =
      side === 'B' ? scale.snap(this.#fair.px - distance, 'down') : scale.snap(this.#fair.px + distance, 'up');
    const order = this.#engine.place({
      account: random.pick(this.#traders),
      side,
      px: passivePx({ engine: this.#engine }, side, wanted),
      lots: this.#leastLots(wanted) * random.octave(6),
      tif: random.chance(1, 2) ? 'Alo' : 'Gtc',
      cloid: random.chance(1, 2) ? random.u32() : null,
    });
    if (order.state === 'resting') this.#resting.push(order);
  }

  #leastLots(px: number): number {
    return Math.ceil(LEAST_NOTIONAL / px);
  }
}
