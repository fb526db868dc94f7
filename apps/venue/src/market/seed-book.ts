import type { Side } from '@l4desk/protocol';
import type { Order } from '../engine/order.ts';
import type { Crowd } from '../wallets/crowd.ts';
import { drawDeepPx } from '../wallets/depth.ts';
import { drawCloid, drawLots, type Floor, leastLots } from '../wallets/floor.ts';

/** Share of seeded orders that are reduce-only, and of those that come from a fired trigger, in thousandths. */
const REDUCE_ONLY = 130;
const FIRED = 2;

/** Seeded orders were placed within this many ms before the start. */
const OLDEST_MS = 90 * 24 * 3_600_000;

/** Price of the stacked level, in thousandths of the fair price. */
const STACK_AT = 360;

/**
 * Fills the book with the crowd's patient orders and the stacked level, in order of entry: every queue runs from the
 * oldest to the newest order.
 */
export function seedBook(floor: Floor, crowd: Crowd, size: number, now: number): void {
  const { engine, listing, random, fair } = floor;
  const prices = { B: drawPrices(floor, crowd, 'B'), A: drawPrices(floor, crowd, 'A') };
  const stackPx = engine.scale.snap(Math.floor((fair.px * STACK_AT) / 1_000), 'down');
  const left = { B: prices.B.length, A: prices.A.length, stack: Math.floor(listing.stacked * size) };
  const total = left.B + left.A + left.stack;
  for (let index = 0; index < total; index += 1) {
    const timestamp = now - Math.floor((OLDEST_MS / total) * (total - index));
    const ticket = random.int(total - index);
    if (ticket < left.stack) {
      left.stack -= 1;
      seedStacked(floor, stackPx, timestamp);
    } else {
      const side: Side = ticket < left.stack + left.B ? 'B' : 'A';
      left[side] -= 1;
      crowd.adopt(seedPatient(floor, side, prices[side][left[side]] as number, timestamp));
    }
  }
}

/** Draws the prices of a side's patient orders and creates their levels, from the far end inward, so that each is appended. */
function drawPrices({ engine, fair, random }: Floor, crowd: Crowd, side: Side): Float64Array {
  const prices = new Float64Array(crowd.patientTarget(side));
  for (let i = 0; i < prices.length; i += 1) prices[i] = drawDeepPx(random, engine.scale, side, fair.px);
  const rising = prices.toSorted();
  let last = 0;
  for (const px of side === 'B' ? rising : rising.toReversed()) {
    if (px !== last) engine.sideOf(side).ensureLevel(px);
    last = px;
  }
  return prices;
}

function seedStacked({ engine, random, wallets }: Floor, px: number, timestamp: number): void {
  const account = random.pick(wallets.of('stacker'));
  engine.seed({ account, side: 'B', px, lots: leastLots(px), tif: 'Gtc', timestamp });
}

function seedPatient({ engine, random, wallets, fair }: Floor, side: Side, px: number, timestamp: number): Order {
  const account = random.pick(wallets.of('crowd'));
  const reduceOnly = random.chance(REDUCE_ONLY, 1_000);
  const fired = reduceOnly && random.chance(FIRED, REDUCE_ONLY);
  const lots = drawLots(random, px, 10);
  if (reduceOnly) {
    // A stacker takes the opposite position, so that all positions sum to zero.
    const held = side === 'A' ? lots : -lots;
    const entryPx = engine.scale.snap(fair.px, 'down');
    engine.positions.add(account, held, entryPx);
    engine.positions.add(random.pick(wallets.of('stacker')), -held, entryPx);
  }
  return engine.seed({
    account,
    side,
    px,
    lots,
    tif: random.chance(2, 10) && !fired ? 'Alo' : 'Gtc',
    orderType: fired ? 'Take Profit Limit' : 'Limit',
    reduceOnly,
    fired,
    cloid: random.chance(3, 10) ? drawCloid(random) : null,
    timestamp,
  });
}
