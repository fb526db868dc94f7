import { coinDex } from '@l4desk/protocol';
import { CoinScale } from '../engine/scale.ts';

/** A listed perp, and the size and activity of its simulated market at size 1 and rate 1. */
export type CoinListing = Readonly<ReturnType<typeof listing>>;

function listing(
  name: string,
  szDecimals: number,
  maxLeverage: number,
  marginTableId: number,
  /** Price at the start, in ticks of `10^-(6 − szDecimals)` dollars. */
  startPx: number,
  /** Resting orders. */
  bids: number,
  asks: number,
  /** Orders that a single wallet has stacked at one far level; included in `bids`. */
  stacked: number,
  /** Activity in thousandths of BTC's. */
  pace: number,
  /** Price movement per block, in millionths. */
  volatility: number,
  /** Share of orders with queue priority, in thousandths; they are reported with `insertBefore`. */
  priority: number,
) {
  return { name, szDecimals, maxLeverage, marginTableId, startPx, bids, asks, stacked, pace, volatility, priority };
}

/** Every coin of the simulated exchange, in the order of `meta`. The first three change in almost every block. */
export const CATALOGUE: readonly CoinListing[] = [
  listing('BTC', 5, 40, 56, 813_070, 33_400, 16_600, 4_300, 1_000, 8, 30),
  listing('ETH', 4, 25, 55, 294_130, 9_500, 6_500, 300, 550, 10, 0),
  listing('SOL', 2, 20, 54, 1_364_200, 5_200, 3_800, 0, 400, 12, 100),
  listing('HYPE', 2, 10, 52, 284_150, 3_900, 3_100, 0, 300, 16, 60),
  listing('XRP', 0, 20, 53, 2_013_400, 2_300, 1_700, 0, 160, 12, 0),
  listing('DOGE', 0, 10, 52, 139_210, 1_900, 1_400, 0, 140, 14, 40),
  listing('BNB', 3, 10, 51, 861_500, 1_300, 1_000, 0, 120, 8, 0),
  listing('AVAX', 2, 10, 52, 134_120, 1_000, 800, 0, 100, 14, 0),
  listing('LINK', 1, 10, 52, 1_324_500, 1_000, 800, 0, 100, 14, 0),
  listing('SUI', 1, 10, 52, 160_120, 1_200, 900, 0, 120, 16, 20),
  listing('ARB', 1, 10, 51, 20_115, 800, 600, 0, 80, 16, 0),
  listing('kPEPE', 0, 10, 52, 4_123, 1_100, 900, 0, 120, 20, 50),
  listing('kBONK', 0, 10, 52, 9_512, 800, 700, 0, 90, 20, 0),
  listing('xyz:GOLD', 4, 20, 20, 421_230, 700, 600, 0, 90, 5, 0),
  listing('xyz:TSLA', 3, 10, 10, 452_110, 600, 500, 0, 80, 10, 40),
];

/** Maximum number of coins listed in addition to the catalogue; the exchange itself lists some 200. */
export const EXTRA_COINS_MAX = 500;

/** Small, quiet coins `ALT001`, `ALT002`, …, to simulate an exchange with many coins. */
export function extraListings(count: number): readonly CoinListing[] {
  return Array.from({ length: count }, (_, index) =>
    listing(`ALT${String(index + 1).padStart(3, '0')}`, 1, 5, 5, 20_000 + index * 137, 300, 250, 0, 20, 16, 0),
  );
}

export function scaleOf(listing: CoinListing): CoinScale {
  return new CoinScale(listing.szDecimals);
}

/** Names of the builder dexes among the coins, in order of first appearance, without the canonical dex. */
export function dexesOf(coins: readonly { readonly name: string }[]): readonly string[] {
  return [...new Set(coins.map((coin) => coinDex(coin.name)))].filter((dex) => dex !== '');
}
