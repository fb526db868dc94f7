import type { Side } from '@l4desk/protocol';
import type { Level } from '../engine/order.ts';
import { type Behaviour, drawLots, drawSide, type Floor, leastLots, otherSide, stepsBehind } from './floor.ts';
import type { Wallet } from './wallet.ts';

/** Positions larger than this many times the minimum order are reduced rather than increased. */
const FULL_POSITION = 2_000;

/** Takers: small aggressive orders, most of them filled immediately. */
export function takers(floor: Floor, wallets: readonly Wallet[]): Behaviour {
  const { engine, random } = floor;
  const sideOf = (account: Wallet): Side => {
    const { lots } = engine.positions.of(account);
    if (Math.abs(lots) < leastLots(Math.max(engine.mark, 1)) * FULL_POSITION) return drawSide(random);
    return lots > 0 ? 'A' : 'B';
  };
  return {
    act() {
      const account = random.pick(wallets);
      const side = sideOf(account);
      const best = engine.oppositeOf(side).best();
      if (best === undefined) return;
      // A limit price some steps beyond the best price, so that the order can take several levels.
      const px = stepsBehind(floor, otherSide(side), best.px, random.octave(6));
      const kind = random.int(100);
      const reduceOnly = random.chance(1, 3) && engine.positions.reducible(account, side) > leastLots(px);
      engine.place({
        account,
        side,
        px,
        lots: drawLots(random, px, 7),
        tif: kind < 75 ? 'Ioc' : kind < 85 ? 'FrontendMarket' : 'Gtc',
        orderType: kind >= 75 && kind < 85 ? 'Market' : 'Limit',
        reduceOnly,
      });
    },
  };
}

/** Takes the best level and rests with what is left: its `new` is smaller than its status says (BOOK-3). */
export function crossers({ engine, random }: Floor, wallets: readonly Wallet[]): Behaviour {
  return {
    act() {
      const side = drawSide(random);
      const best = engine.oppositeOf(side).best();
      if (best === undefined || best.count > 12) return;
      const account = random.pick(wallets);
      const lots = best.lots + leastLots(best.px) * random.octave(4);
      engine.place({ account, side, px: best.px, lots, tif: 'Gtc' });
    },
  };
}

/** The owner of the best order trades against itself: its resting order is canceled, not filled. */
export function selfTraders({ engine, random }: Floor): Behaviour {
  return {
    act() {
      const side = drawSide(random);
      const best = engine.oppositeOf(side).best();
      const owner = best?.first?.account;
      if (best === undefined || owner === undefined) return;
      engine.place({ account: owner, side, px: best.px, lots: leastLots(best.px), tif: 'Ioc' });
    },
  };
}

/** When the fair price is more than this many steps beyond the book, it moves towards the book. */
const PATIENCE_STEPS = 30;

/**
 * Takers that know the fair price: when it has moved past resting orders, they take those. Without them the book would
 * stay in place while the price moves.
 */
export function followers({ engine, fair, random }: Floor, wallets: readonly Wallet[]): Behaviour {
  const { scale } = engine;
  const take = (side: Side, best: Level) => {
    const distance = Math.abs(fair.px - best.px);
    if (distance > PATIENCE_STEPS * scale.step(best.px)) fair.yieldTo(best.px);
    engine.place({
      account: random.pick(wallets),
      side,
      px: scale.snap(fair.px, side === 'B' ? 'down' : 'up'),
      lots: best.lots + drawLots(random, best.px, 10),
      tif: 'Ioc',
    });
  };
  return {
    act() {
      const ask = engine.asks.best();
      const bid = engine.bids.best();
      if (ask !== undefined && fair.px > ask.px) take('B', ask);
      else if (bid !== undefined && fair.px < bid.px) take('A', bid);
    },
  };
}
