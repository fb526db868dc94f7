import type { Side } from '@l4desk/protocol';
import type { Random } from '../engine/random.ts';
import type { CoinScale } from '../engine/scale.ts';

/** How far asks reach, as a multiple of the price. Bids reach down to a sixteenth of a percent of it. */
const ASK_REACH = 12;

/** Number of steps on each side of the mid price that are filled almost without gaps. */
const DENSE_STEPS = 6_000;

/** The far levels start at 2 to this power of steps, or lower if a coin has few steps. */
const FAR_OCTAVE = 12;

/** Percent of patient orders in the dense zone and at round prices. The rest are far out; bids have more of those. */
const SHARES: Readonly<Record<Side, { readonly dense: number; readonly round: number }>> = {
  B: { dense: 40, round: 16 },
  A: { dense: 52, round: 26 },
};

/**
 * Draws the price of a patient order, in ticks: a dense zone near the mid price, round numbers, and a long thin tail. The
 * same distribution fills the book at the start and refills it later, so the book keeps its shape for hours.
 */
export function drawDeepPx(random: Random, scale: CoinScale, side: Side, middle: number): number {
  const step = scale.step(middle);
  const room =
    side === 'B' ? Math.floor((middle - middle / 1_600) / step) : Math.floor(((ASK_REACH - 1) * middle) / step);
  const kind = random.int(100);
  const share = SHARES[side];
  if (kind < share.dense)
    return at(scale, side, middle, 1 + random.int(Math.min(DENSE_STEPS, Math.floor(room / 4))), step);
  if (kind < share.dense + share.round) return roundPx(random, scale, side, middle, step, room);
  const top = Math.floor(Math.log2(room));
  const bottom = Math.min(FAR_OCTAVE, Math.max(top - 4, 0));
  const base = 2 ** random.between(bottom, top);
  return at(scale, side, middle, Math.min(base + random.int(base), room), step);
}

/** Additional steps over which impatient orders are spread, so that they do not all share one level. */
const NEAR_SPREAD = 8;

/** The price of an impatient order: within about `2^powers` steps of the mid price. */
export function drawNearPx(random: Random, scale: CoinScale, side: Side, middle: number, powers: number): number {
  return at(scale, side, middle, random.octave(powers) + random.int(NEAR_SPREAD), scale.step(middle));
}

function at(scale: CoinScale, side: Side, middle: number, steps: number, step: number): number {
  return side === 'B'
    ? scale.snap(Math.max(middle - steps * step, 1), 'down')
    : scale.snap(middle + steps * step, 'up');
}

/** A multiple of a hundred, five hundred or a thousand steps: prices at which people place orders by hand. */
function roundPx(random: Random, scale: CoinScale, side: Side, middle: number, step: number, room: number): number {
  const unit = step * random.pick([100, 500, 1_000]);
  const reach = Math.max(1, Math.floor((Math.min(room, 30_000) * step) / unit));
  const away = unit * (1 + random.int(reach));
  const base = middle - (middle % unit);
  const px = side === 'B' ? base - away + unit : base + away;
  return scale.snap(Math.max(px, unit), side === 'B' ? 'down' : 'up');
}
