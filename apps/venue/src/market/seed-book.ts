import type { Side } from '@l4desk/protocol';
import { type Crowd } from '../wallets/crowd.ts';
import { drawDeepPx } from '../wallets/depth.ts';
import { drawCloid, drawLots, type Floor, leastLots } from '../wallets/floor.ts';

/** Share of seeded orders that only reduce a position, and of those that a trigger has put there, in thousandths. */
const REDUCE_ONLY = 130;
const FIRED = 2;

/** Seeded orders were placed within this many ms before the start. */
const OLDEST_MS = 90 * 24 * 3_600_000;

/** Where a stacked level stands, in thousandths of the price. */
const STACK_AT = 360;

/** Fills the book with the patient orders of the crowd and the stacked level, oldest first, so that every queue runs in order of entry. */
export function seedBook(floor: Floor, crowd: Crowd, size: number, now: number): void {
  const { engine, listing, random, fair, wallets } = floor;
  const stacked = Math.floor(listing.stacked * size);
  const draws: { readonly side: Side; readonly px: number; readonly stacker: boolean }[] = [];
  for (const side of ['B', 'A'] as const) {
    for (let i = crowd.patientTarget(side); i > 0; i -= 1) {
      draws.push({ side, px: drawDeepPx(random, engine.scale, side, fair.px), stacker: false });
    }
  }
  const stackPx = engine.scale.snap(Math.floor((fair.px * STACK_AT) / 1_000), 'down');
  for (let i = stacked; i > 0; i -= 1) draws.push({ side: 'B', px: stackPx, stacker: true });

  // Levels first, from the far end inward: each then joins at the end of the array instead of in its midst.
  for (const side of ['B', 'A'] as const) {
    const prices = [...new Set(draws.filter((draw) => draw.side === side).map((draw) => draw.px))];
    prices.sort((a, b) => (side === 'B' ? a - b : b - a));
    for (const px of prices) engine.sideOf(side).ensureLevel(px);
  }

  shuffle(draws, random);
  const stackers = wallets.of('stacker');
  const owners = wallets.of('crowd');
  draws.forEach(({ side, px, stacker }, index) => {
    const account = stacker ? random.pick(stackers) : random.pick(owners);
    const reduceOnly = !stacker && random.chance(REDUCE_ONLY, 1_000);
    const fired = reduceOnly && random.chance(FIRED * 1_000, REDUCE_ONLY * 1_000);
    const lots = stacker ? leastLots(px) : drawLots(random, px, 10);
    // The counterparty of what the wallet holds is one of the stackers, so that positions sum to zero.
    if (reduceOnly) {
      engine.positions.add(account, side === 'A' ? lots : -lots);
      engine.positions.add(random.pick(stackers), side === 'A' ? -lots : lots);
    }
    const alo = random.chance(2, 10);
    const order = engine.seed({
      account,
      side,
      px,
      lots,
      tif: alo && !fired ? 'Alo' : 'Gtc',
      orderType: fired ? 'Take Profit Limit' : 'Limit',
      reduceOnly,
      fired,
      cloid: random.chance(3, 10) ? drawCloid(random) : null,
      timestamp: now - Math.floor((OLDEST_MS / draws.length) * (draws.length - index)),
    });
    if (!stacker) crowd.adopt(order);
  });
}

function shuffle(items: unknown[], random: Floor['random']): void {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = random.int(i + 1);
    const held = items[i];
    items[i] = items[j];
    items[j] = held;
  }
}
