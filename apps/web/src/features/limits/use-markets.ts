import { coinDex, infoCredits } from '@l4desk/protocol';
import type { MetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { dexMarketsQuery } from '../../api/metaAndAssetCtxs.ts';
import { type Market, perpsOf } from '../../api/perps.ts';

/** What the exchange reports of the coins of some dexes: mark price and volume. */
export interface Markets {
  readonly of: (coin: string) => Market | undefined;
  /** When the oldest of them was loaded, in ms; undefined before the first response. */
  readonly at: number | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly all: Load;
  /** The dexes whose call failed. */
  readonly failed: Load;
  /** The dexes without a call so far. */
  readonly missing: Load;
}

interface Load {
  readonly credits: number;
  readonly run: () => void;
}

/** The dexes whose markets the page shows: the canonical one, for the table of coins, and that of the chosen coin. */
export function dexesOf(coin: string | undefined): readonly string[] {
  return [...new Set(['', coin === undefined ? '' : coinDex(coin)])];
}

export function marketsCredits({ length }: readonly unknown[]): number {
  return length * infoCredits('metaAndAssetCtxs');
}

export function useMarkets(dexes: readonly string[], isAutoLoaded: boolean): Markets {
  return useQueries({
    queries: dexes.map((dex) => ({ ...dexMarketsQuery(dex), enabled: isAutoLoaded })),
    combine: combined,
  });
}

type MarketsQuery = UseQueryResult<MetaAndAssetCtxs>;

function loadOf(queries: readonly MarketsQuery[]): Load {
  return {
    credits: marketsCredits(queries),
    // A second press before the button is disabled pays for no second call.
    run: () => queries.forEach(({ refetch }) => void refetch({ cancelRefetch: false })),
  };
}

function combined(queries: readonly MarketsQuery[]): Markets {
  const loaded = queries.filter(({ data }) => data !== undefined);
  const perps = loaded.flatMap(({ data }) => (data === undefined ? [] : perpsOf(data)));
  const markets = new Map(perps.map(({ name, market }) => [name, market]));
  return {
    of: (coin) => markets.get(coin),
    at: loaded.length === 0 ? undefined : Math.min(...loaded.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    error: queries.find(({ isError }) => isError)?.error ?? null,
    isFetching: queries.some(({ isFetching }) => isFetching),
    all: loadOf(queries),
    failed: loadOf(queries.filter(({ isError }) => isError)),
    missing: loadOf(queries.filter(({ data, isError }) => data === undefined && !isError)),
  };
}
