import type { Side } from '@l4desk/protocol';
import type { CoinEngine } from '../engine/coin-engine.ts';
import type { Random } from '../engine/random.ts';
import type { CoinListing } from '../market/catalogue.ts';
import type { FairPrice } from '../market/fair-price.ts';
import type { WalletRegistry } from './wallet.ts';

/** What the traders of one coin share: the state that each behaviour reads and acts on. */
export interface Floor {
  readonly listing: CoinListing;
  readonly engine: CoinEngine;
  readonly fair: FairPrice;
  readonly wallets: WalletRegistry;
  readonly random: Random;
}

/** One way of trading one coin; `act` performs one action. */
export interface Behaviour {
  act(): void;
}

export function otherSide(side: Side): Side {
  return side === 'B' ? 'A' : 'B';
}

export function drawSide(random: Random): Side {
  return random.chance(1, 2) ? 'B' : 'A';
}

/** A client order id, unique in practice. */
export function drawCloid(random: Random): number {
  return random.u32() * 0x20_0000 + random.int(0x20_0000);
}

/** The smallest number of lots at `px` that meets the minimum notional, with a small margin. */
export function leastLots(px: number): number {
  return Math.ceil(10_500_000 / px);
}

/** A size with a long tail: mostly near the minimum, rarely `2^powers` times as much, rounded in one case of three. */
export function drawLots(random: Random, px: number, powers: number): number {
  const least = leastLots(px);
  const lots = least * random.octave(powers) + random.int(least);
  if (!random.chance(1, 3)) return lots;
  let unit = 1;
  while (unit * 10 <= lots) unit *= 10;
  return Math.max(least, lots - (lots % unit));
}

/** The price `steps` steps away from `px`, away from the mid price: lower for bids, higher for asks. */
export function stepsBehind(floor: Floor, side: Side, px: number, steps: number): number {
  const { scale } = floor.engine;
  const distance = steps * scale.step(px);
  return side === 'B' ? scale.snap(Math.max(px - distance, 1), 'down') : scale.snap(px + distance, 'up');
}

/** The price nearest to `px` at which an order of that side rests without trading. */
export function passivePx({ engine }: Pick<Floor, 'engine'>, side: Side, px: number): number {
  const best = engine.oppositeOf(side).best();
  if (best === undefined || !engine.oppositeOf(side).isCrossedBy(px)) return px;
  return side === 'B' ? engine.scale.snap(best.px - 1, 'down') : engine.scale.snap(best.px + 1, 'up');
}
