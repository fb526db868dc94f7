import { multiply, sum } from '@l4desk/decimal';
import { type DecimalString, isDecimalString, type Side } from '@l4desk/protocol';
import type { FrontendOpenOrders } from '@l4desk/protocol/upstream';

/** The resting orders of one side of a coin. */
export interface SideSum {
  readonly count: number;
  readonly sz: DecimalString;
  /** Σ limitPx × sz. */
  readonly notional: DecimalString;
}

/** The open orders of one coin, over all wallets. */
export interface CoinOrders {
  readonly coin: string;
  readonly bids: SideSum;
  readonly asks: SideSum;
  /** Orders that wait for their trigger and are not in the book. */
  readonly triggers: number;
  /** Orders without a price, size or side that could be summed (D59). */
  readonly others: number;
}

interface Gathered {
  readonly sz: Readonly<Record<Side, DecimalString[]>>;
  readonly notional: Readonly<Record<Side, DecimalString[]>>;
  triggers: number;
  others: number;
}

/** The open orders of wallets by coin and side, as exact sums; the coin with most orders first. */
export function orderSums(responses: readonly FrontendOpenOrders[]): readonly CoinOrders[] {
  const coins = new Map<string, Gathered>();
  for (const orders of responses) {
    for (const { coin, side, limitPx, sz, isTrigger } of orders) {
      const known = coins.get(coin);
      const of = known ?? { sz: { B: [], A: [] }, notional: { B: [], A: [] }, triggers: 0, others: 0 };
      if (known === undefined) coins.set(coin, of);
      if (isTrigger) {
        of.triggers += 1;
      } else if (isSide(side) && isDecimalString(limitPx) && isDecimalString(sz)) {
        of.sz[side].push(sz);
        of.notional[side].push(multiply(limitPx, sz));
      } else of.others += 1;
    }
  }
  const sideOf = (of: Gathered, side: Side): SideSum => ({
    count: of.sz[side].length,
    sz: sum(of.sz[side]),
    notional: sum(of.notional[side]),
  });
  return [...coins]
    .map(([coin, of]) => ({
      coin,
      bids: sideOf(of, 'B'),
      asks: sideOf(of, 'A'),
      triggers: of.triggers,
      others: of.others,
    }))
    .sort((a, b) => countOf(b) - countOf(a) || a.coin.localeCompare(b.coin));
}

function countOf({ bids, asks, triggers, others }: CoinOrders): number {
  return bids.count + asks.count + triggers + others;
}

function isSide(side: string): side is Side {
  return side === 'B' || side === 'A';
}
