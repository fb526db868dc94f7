import type { PlaceRequest } from '../engine/coin-engine.ts';
import {
  type Behaviour,
  drawCloid,
  drawLots,
  drawSide,
  type Floor,
  leastLots,
  otherSide,
  stepsBehind,
} from './floor.ts';
import type { Wallet } from './wallet.ts';

/**
 * Orders that are refused, which make up most statuses of a block: racers are too late and would cross; others have too
 * little margin, no position to reduce, or too small a size. Shares match those recorded on the exchange: 95 in 100 are
 * `badAloPxRejected`.
 */
export function refusedOrders(
  floor: Floor,
  wallets: Readonly<Record<'racers' | 'stretched' | 'careless', readonly Wallet[]>>,
): Behaviour {
  return {
    act() {
      const request = refusedRequest(floor, wallets);
      if (request !== null) floor.engine.place(request);
    },
  };
}

function refusedRequest(
  floor: Floor,
  { racers, stretched, careless }: Parameters<typeof refusedOrders>[1],
): PlaceRequest | null {
  const { engine, random } = floor;
  const side = drawSide(random);
  const best = engine.oppositeOf(side).best();
  if (best === undefined) return null;
  const crossing = stepsBehind(floor, otherSide(side), best.px, random.octave(5) - 1);
  const passive = stepsBehind(floor, side, best.px, 1 + random.octave(8));
  const ticket = random.int(10_000);
  if (ticket < 9_480) {
    return {
      account: random.pick(racers),
      side,
      px: crossing,
      lots: drawLots(random, crossing, 12),
      tif: 'Alo',
      reduceOnly: random.chance(18, 100),
      cloid: drawCloid(random),
    };
  }
  if (ticket < 9_590) {
    const account = random.pick(stretched);
    return { account, side, px: crossing, lots: leastLots(crossing) * 50, tif: 'Ioc', cloid: drawCloid(random) };
  }
  const account = random.pick(careless);
  const lots = leastLots(passive) * random.octave(4);
  if (ticket < 9_980) return { account, side, px: passive, lots, tif: 'Ioc', cloid: drawCloid(random) };
  if (ticket < 9_988) return { account, side, px: passive, lots, tif: 'Gtc', reduceOnly: true };
  if (ticket < 9_994) return { account, side, px: passive, lots: Math.floor(leastLots(passive) / 2), tif: 'Gtc' };
  if (ticket < 9_997) return { account, side, px: passive * 10 + 1, lots, tif: 'Gtc' };
  // A stop whose trigger price has already been passed.
  const when = side === 'A' ? 'above' : 'below';
  return {
    account,
    side,
    px: passive,
    lots,
    tif: 'Gtc',
    orderType: 'Stop Limit',
    trigger: { px: engine.scale.snap(engine.mark, side === 'A' ? 'down' : 'up'), when },
  };
}
