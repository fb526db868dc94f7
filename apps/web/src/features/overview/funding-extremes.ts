import { compare } from '@l4desk/decimal';
import { type DecimalString, decimalString, z } from '@l4desk/protocol';
import type { MetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { dayChange, perpsOf } from '../../api/perps.ts';

/** The current market of a coin, as this browser stores it. */
export const currentMarket = z.object({
  coin: z.string(),
  mid: decimalString.optional(),
  /** `+1.25 %`: the mark against the price 24 hours ago. */
  change: z.string().optional(),
  /** The rate of the current interval, as reported. */
  funding: decimalString,
});

export type CoinMarket = z.infer<typeof currentMarket>;

/** The highest or the lowest rates. */
export interface FundingEnd {
  /** Most extreme first. */
  readonly markets: readonly CoinMarket[];
  /** The next rate, if more coins have it than fit: none of them is more extreme than the others. */
  readonly tie: { readonly funding: DecimalString; readonly count: number } | undefined;
}

export interface FundingExtremes {
  readonly highest: FundingEnd;
  readonly lowest: FundingEnd;
}

/** The coins of a response that are not delisted. */
export function marketsOf(response: MetaAndAssetCtxs): readonly CoinMarket[] {
  return perpsOf(response)
    .filter(({ isDelisted }) => isDelisted !== true)
    .map(({ name, market }) => ({
      coin: name,
      mid: market.midPx ?? undefined,
      change: dayChange(market),
      funding: market.funding,
    }));
}

/**
 * The coins with the highest and the lowest rates: at most `count` at each end, and none at both. If the coins of a rate do not
 * all fit at an end, the end gives their number, over all coins, in place of names; both ends may do so.
 */
export function fundingExtremes(markets: readonly CoinMarket[], count: number): FundingExtremes {
  const sorted = markets.toSorted((a, b) => compare(b.funding, a.funding));
  const each = Math.min(count, Math.floor(sorted.length / 2));
  return { highest: endOf(sorted, each), lowest: endOf(sorted.toReversed(), each) };
}

function endOf(sorted: readonly CoinMarket[], count: number): FundingEnd {
  const markets = sorted.slice(0, count);
  const last = markets.at(-1);
  const next = sorted[count];
  if (last === undefined || next === undefined || compare(last.funding, next.funding) !== 0) {
    return { markets, tie: undefined };
  }
  const isTied = ({ funding }: CoinMarket) => compare(funding, last.funding) === 0;
  return {
    markets: markets.filter((market) => !isTied(market)),
    tie: { funding: last.funding, count: sorted.filter(isTied).length },
  };
}
