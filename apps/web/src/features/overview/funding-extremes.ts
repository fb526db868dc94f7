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

export interface FundingExtremes {
  /** Highest first. */
  readonly highest: readonly CoinMarket[];
  /** Lowest first. */
  readonly lowest: readonly CoinMarket[];
}

/** The listed coins of a response. */
export function marketsOf([{ universe }, contexts]: MetaAndAssetCtxs): readonly CoinMarket[] {
  return universe.flatMap(({ name, isDelisted }, at) => {
    const context = contexts[at];
    if (context === undefined || isDelisted === true) return [];
    return [{ coin: name, mid: context.midPx ?? undefined, funding: context.funding }];
  });
}

/** The coins with the highest and the lowest rates, `count` of each at most and none in both. */
export function fundingExtremes(markets: readonly CoinMarket[], count: number): FundingExtremes {
  const sorted = markets.toSorted((a, b) => compare(b.funding, a.funding));
  const each = Math.min(count, Math.floor(sorted.length / 2));
  return { highest: sorted.slice(0, each), lowest: sorted.slice(sorted.length - each).toReversed() };
}
