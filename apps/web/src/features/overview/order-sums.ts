import { multiply, sum } from '@l4desk/decimal';
import { decimalString, isDecimalString, type Side, z } from '@l4desk/protocol';
import type { FrontendOpenOrders } from '@l4desk/protocol/upstream';
import { groupBy } from '../../ui/group-by.ts';

/** The resting orders of one side of a coin; `notional` is Σ limitPx × sz. */
const sideOrders = z.object({ count: z.int(), sz: decimalString, notional: decimalString });

export type SideSum = z.infer<typeof sideOrders>;

/** The open orders of one coin, over all wallets, as this browser stores them. */
export const coinOrders = z.object({
  coin: z.string(),
  bids: sideOrders,
  asks: sideOrders,
  /** Orders that wait for their trigger and are not in the book. */
  triggers: z.int(),
  /** Orders without a price, size or side that could be summed (D59). */
  others: z.int().default(0),
});

export type CoinOrders = z.infer<typeof coinOrders>;

/** The open orders of wallets by coin and side, as exact sums; the coin with most orders first. */
export function orderSums(responses: readonly FrontendOpenOrders[]): readonly CoinOrders[] {
  return [...groupBy(responses.flat(), ({ coin }) => coin)]
    .sort(([a, some], [b, others]) => others.length - some.length || a.localeCompare(b))
    .map(([coin, orders]) => {
      const resting = orders.filter(({ isTrigger }) => !isTrigger);
      const bids = sideSum(resting, 'B');
      const asks = sideSum(resting, 'A');
      const others = resting.length - bids.count - asks.count;
      return { coin, bids, asks, triggers: orders.length - resting.length, others };
    });
}

function sideSum(resting: FrontendOpenOrders, side: Side): SideSum {
  const summed = resting.flatMap(({ side: own, limitPx, sz }) =>
    own === side && isDecimalString(limitPx) && isDecimalString(sz) ? { sz, notional: multiply(limitPx, sz) } : [],
  );
  return {
    count: summed.length,
    sz: sum(summed.map(({ sz }) => sz)),
    notional: sum(summed.map(({ notional }) => notional)),
  };
}
