import type { Side } from '@l4desk/protocol';
import type { Order } from '../engine/order.ts';
import { type Behaviour, drawCloid, drawLots, drawSide, type Floor, stepsBehind } from './floor.ts';
import type { Wallet } from './wallet.ts';

/** One quote that a maker keeps at a fixed distance from the price. */
interface Quote {
  readonly wallet: Wallet;
  readonly side: Side;
  readonly steps: number;
  order: Order | null;
}

const QUOTES_A_SIDE = 12;

/** The distances of a maker's quotes range up to `2^powers` steps. */
const DISTANCE_POWERS = 6;

/** Number of quotes examined per act; the stalest of them is renewed. */
const LOOKED_AT = 3;

/** Makers: they keep quotes on both sides and move them with the price. Each move is a modify (BOOK-9). */
export class Quoters implements Behaviour {
  readonly #floor: Floor;
  readonly #quotes: readonly Quote[];

  constructor(floor: Floor, makers: readonly Wallet[]) {
    this.#floor = floor;
    this.#quotes = makers.flatMap((wallet) =>
      (['B', 'A'] as const).flatMap((side) =>
        Array.from({ length: QUOTES_A_SIDE }, (): Quote => {
          return { wallet, side, steps: floor.random.octave(DISTANCE_POWERS) - 1, order: null };
        }),
      ),
    );
  }

  /** Places every quote, for the book that the market starts with. */
  open(): void {
    for (const quote of this.#quotes) this.#renew(quote, this.#target(quote));
  }

  act(): void {
    const { random } = this.#floor;
    let stalest: Quote | undefined;
    let target = 0;
    let worst = -1;
    for (let i = 0; i < LOOKED_AT; i += 1) {
      const quote = random.pick(this.#quotes);
      const px = this.#target(quote);
      const staleness = quote.order?.state === 'resting' ? Math.abs(quote.order.px - px) : Number.MAX_SAFE_INTEGER;
      if (staleness > worst) {
        stalest = quote;
        target = px;
        worst = staleness;
      }
    }
    if (stalest !== undefined) this.#renew(stalest, target);
  }

  #target(quote: Quote): number {
    const { fair, random } = this.#floor;
    return stepsBehind(this.#floor, quote.side, fair.px, quote.steps + random.int(2));
  }

  #renew(quote: Quote, px: number): void {
    const { engine, random, listing } = this.#floor;
    const lots = drawLots(random, px, 12);
    const { order } = quote;
    quote.order =
      order !== null && order.state === 'resting'
        ? engine.modify(order, { px, lots, tif: 'Alo' })
        : engine.place({
            account: quote.wallet,
            side: quote.side,
            px,
            lots,
            tif: 'Alo',
            cloid: drawCloid(random),
            priority: random.chance(listing.priority, 1_000),
          });
  }
}

/** A maker that cancels its quote within the same block: one oid with `new` and `remove` (BOOK-5). */
export function flickerers(floor: Floor, makers: readonly Wallet[]): Behaviour {
  const { engine, random, fair } = floor;
  return {
    act() {
      const side = drawSide(random);
      const px = stepsBehind(floor, side, fair.px, 1 + random.octave(4));
      const account = random.pick(makers);
      const order = engine.place({
        account,
        side,
        px,
        lots: drawLots(random, px, 12),
        tif: 'Alo',
        cloid: drawCloid(random),
      });
      engine.cancel(order);
    },
  };
}
