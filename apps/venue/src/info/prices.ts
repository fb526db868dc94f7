import { formatUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { MarketView } from './exchange.ts';

/** Best bid and ask in ticks; null if a side is empty. */
export function bestOf(market: MarketView): { readonly bid: number; readonly ask: number } | null {
  const [bid] = market.depth('B');
  const [ask] = market.depth('A');
  return bid === undefined || ask === undefined ? null : { bid: bid.px, ask: ask.px };
}

/** The mid price, which may have one decimal more than a price. */
export function midPx(market: MarketView): DecimalString | null {
  const best = bestOf(market);
  return best === null ? null : formatUnits((best.bid + best.ask) * 5, market.scale.pxDecimals + 1, 1);
}
