import { compare } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { MetaAndAssetCtxs } from '@l4desk/protocol/upstream';

/** What the market of a coin is now. */
export interface CoinMarket {
  readonly coin: string;
  readonly mid: DecimalString | undefined;
  /** The rate of the interval under way, as reported. */
  readonly funding: DecimalString;
}

/** One end of the rates. */
export interface FundingEnd {
  /** The farthest first. */
  readonly markets: readonly CoinMarket[];
  /** The next rate, where more coins have it than there is room for: none of them is more extreme than another. */
  readonly tie: { readonly funding: DecimalString; readonly count: number } | undefined;
}

export interface FundingExtremes {
  readonly highest: FundingEnd;
  readonly lowest: FundingEnd;
}

/** The listed coins of a response. */
export function marketsOf([{ universe }, contexts]: MetaAndAssetCtxs): readonly CoinMarket[] {
  return universe.flatMap(({ name, isDelisted }, at) => {
    const context = contexts[at];
    if (context === undefined || isDelisted === true) return [];
    return [{ coin: name, mid: context.midPx ?? undefined, funding: context.funding }];
  });
}

/**
 * The coins with the highest and the lowest rates: at most `count` of them named at each end, and none at both. A rate whose
 * coins do not all fit at an end is there with their number, of all coins, in place of names; that may be so at both ends.
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
