import type { Side } from '@l4desk/protocol';
import type { CancelReason, Order, OrderKeeper, Tif } from '../engine/order.ts';
import type { Random } from '../engine/random.ts';
import { drawDeepPx, drawNearPx } from './depth.ts';
import { type Behaviour, drawCloid, drawLots, drawSide, type Floor, passivePx } from './floor.ts';

/** Impatient orders as a share of all orders, in thousandths. */
const NEAR_SHARE = 50;

const NEAR_POWERS = 8;

/**
 * Once the order count is this far off target, every act of the crowd works against the difference. In thousandths of the
 * target.
 */
const STRAY = 20;

/**
 * The many wallets that occasionally place an order: patient ones all over the book, impatient ones near the mid price.
 * Each act places or cancels one order and leans towards the target number of orders, so the book neither drains nor
 * swells.
 */
export class Crowd {
  readonly patient: Behaviour;
  readonly impatient: Behaviour;
  readonly #floor: Floor;
  readonly #pools: { readonly near: OrderPool; readonly deep: Record<Side, OrderPool> };
  #size: number;

  constructor(floor: Floor, size: number) {
    this.#floor = floor;
    this.#size = size;
    this.#pools = { near: new OrderPool(), deep: { B: new OrderPool(), A: new OrderPool() } };
    this.patient = { act: () => this.#actPatient() };
    this.impatient = { act: () => this.#actImpatient() };
  }

  /** Changes the target number of orders, which is reached gradually. */
  resize(size: number): void {
    this.#size = size;
  }

  /** Places all impatient orders, for the book that the market starts with. */
  open(): void {
    while (this.#pools.near.size < this.#impatientTarget) this.#actImpatient();
  }

  /** Adopts a patient order that already rests in the book. */
  adopt(order: Order): void {
    this.#pools.deep[order.side].keep(order);
  }

  patientTarget(side: Side): number {
    const { bids, asks, stacked } = this.#floor.listing;
    const orders = side === 'B' ? bids - stacked : asks;
    return Math.max(20, Math.floor((orders * this.#size * (1_000 - NEAR_SHARE)) / 1_000));
  }

  get #impatientTarget(): number {
    const { bids, asks } = this.#floor.listing;
    return Math.max(20, Math.floor(((bids + asks) * this.#size * NEAR_SHARE) / 1_000));
  }

  #actPatient(): void {
    const { random, engine, fair } = this.#floor;
    const bidShare = this.patientTarget('B');
    const side: Side = random.chance(bidShare, bidShare + this.patientTarget('A')) ? 'B' : 'A';
    const pool = this.#pools.deep[side];
    if (this.#shouldPlace(pool.size, this.patientTarget(side))) {
      this.#place(side, drawDeepPx(random, engine.scale, side, fair.px), pool);
    } else {
      this.#cancel(pool);
    }
  }

  #actImpatient(): void {
    const { random, engine, fair } = this.#floor;
    const pool = this.#pools.near;
    if (this.#shouldPlace(pool.size, this.#impatientTarget)) {
      const side = drawSide(random);
      this.#place(side, drawNearPx(random, engine.scale, side, fair.px, NEAR_POWERS), pool);
    } else {
      this.#cancel(pool);
    }
  }

  /** Even odds at the target; certain once the count is off by `STRAY` or more. */
  #shouldPlace(count: number, target: number): boolean {
    const stray = Math.max(4, Math.floor((target * STRAY) / 1_000));
    const missing = Math.min(Math.max(target - count, -stray), stray);
    return this.#floor.random.chance(stray + missing, 2 * stray);
  }

  #place(side: Side, wanted: number, pool: OrderPool): void {
    const { random, engine, wallets } = this.#floor;
    const px = passivePx(this.#floor, side, wanted);
    const tif: Tif = random.chance(7, 10) ? 'Gtc' : 'Alo';
    const order = engine.place({
      account: random.pick(wallets.of('crowd')),
      side,
      px,
      lots: drawLots(random, px, 10),
      tif,
      cloid: random.chance(3, 10) ? drawCloid(random) : null,
      priority: random.chance(this.#floor.listing.priority, 1_000),
    });
    if (order.state === 'resting') pool.keep(order);
  }

  #cancel(pool: OrderPool): void {
    const { random, engine } = this.#floor;
    const order = pool.draw(random);
    if (order !== undefined) engine.cancel(order, drawReason(this.#floor));
  }
}

function drawReason({ random }: Floor): CancelReason {
  const ticket = random.int(1_000);
  if (ticket < 10) return 'scheduledCancel';
  return ticket < 13 ? 'marginCanceled' : 'canceled';
}

/** Resting orders of many wallets, from which one can be drawn at random. An order that leaves the book leaves the pool. */
class OrderPool implements OrderKeeper {
  readonly #orders: Order[] = [];

  get size(): number {
    return this.#orders.length;
  }

  keep(order: Order): void {
    order.keeper = this;
    order.keptAt = this.#orders.length;
    this.#orders.push(order);
  }

  release(order: Order): void {
    const last = this.#orders.pop();
    if (last !== undefined && last !== order) {
      this.#orders[order.keptAt] = last;
      last.keptAt = order.keptAt;
    }
    order.keeper = null;
  }

  draw(random: Random): Order | undefined {
    return this.#orders.length === 0 ? undefined : random.pick(this.#orders);
  }
}
