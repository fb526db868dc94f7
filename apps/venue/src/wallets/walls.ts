import type { Order } from '../engine/order.ts';
import { type Behaviour, drawCloid, drawSide, type Floor, leastLots } from './floor.ts';
import type { Wallet } from './wallet.ts';

/** Number of orders in a wall, and the size range of each as a multiple of the minimum order. */
const ORDERS = 3;
const SIZE_MIN = 8_000;
const SIZE_MAX = 40_000;

/** Distance of a wall from the price, in millionths of it. It is pulled when the price comes closer than `PULLED_AT`. */
const NEAREST = 800;
const FARTHEST = 8_000;
const PULLED_AT = 250;

/** A wall is taken down after about this many acts of its owner. */
const LASTS = 40;

interface Wall {
  readonly wallet: Wallet;
  orders: readonly Order[];
}

/** Wallets that each own one level: very large orders at a round price, canceled before they are reached. */
export class Walls implements Behaviour {
  readonly #floor: Floor;
  readonly #walls: readonly Wall[];

  constructor(floor: Floor, owners: readonly Wallet[]) {
    this.#floor = floor;
    this.#walls = owners.map((wallet): Wall => ({ wallet, orders: [] }));
  }

  /** Builds every wall, for the book that the market starts with. */
  open(): void {
    for (const wall of this.#walls) this.#build(wall);
  }

  act(): void {
    const { random } = this.#floor;
    const wall = random.pick(this.#walls);
    if (wall.orders.length === 0) this.#build(wall);
    else if (random.chance(1, LASTS)) this.#pull(wall);
  }

  /** Pulls the walls that the price has come close to. */
  flinch(): void {
    const { engine } = this.#floor;
    const reach = Math.floor((engine.mark * PULLED_AT) / 1_000_000);
    for (const wall of this.#walls) {
      const order = wall.orders[0];
      if (order !== undefined && Math.abs(order.px - engine.mark) < reach) this.#pull(wall);
    }
  }

  #build(wall: Wall): void {
    const { engine, fair, random } = this.#floor;
    const { scale } = engine;
    const side = drawSide(random);
    const away = Math.floor((fair.px * random.between(NEAREST, FARTHEST)) / 1_000_000);
    const wanted = side === 'B' ? fair.px - away : fair.px + away;
    const unit = scale.step(wanted) * 50;
    const px = side === 'B' ? wanted - (wanted % unit) : wanted - (wanted % unit) + unit;
    const orders: Order[] = [];
    for (let i = 0; i < ORDERS; i += 1) {
      const order = engine.place({
        account: wall.wallet,
        side,
        px: scale.snap(px, side === 'B' ? 'down' : 'up'),
        lots: leastLots(px) * random.between(SIZE_MIN, SIZE_MAX),
        tif: 'Alo',
        cloid: drawCloid(random),
      });
      if (order.state === 'resting') orders.push(order);
    }
    wall.orders = orders;
  }

  #pull(wall: Wall): void {
    for (const order of wall.orders) this.#floor.engine.cancel(order);
    wall.orders = [];
  }
}
