import { coinDex, type DecimalString, infoCredits } from '@l4desk/protocol';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { dexMarketsQuery } from '../../api/metaAndAssetCtxs.ts';
import { marksOf } from '../../wallets/value/worth.ts';

/** The mark prices of some dexes. */
export interface Marks {
  readonly of: (coin: string) => DecimalString | undefined;
  /** When the oldest of them was loaded, in ms; undefined before the first response. */
  readonly at: number | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly refetch: () => void;
}

/** The dexes whose marks the page shows: the canonical one, for the table of coins, and that of the chosen coin. */
export function dexesOf(coin: string | undefined): readonly string[] {
  return [...new Set(['', coin === undefined ? '' : coinDex(coin)])];
}

export function marksCredits(dexes: readonly string[]): number {
  return dexes.length * infoCredits('metaAndAssetCtxs');
}

export function useMarks(dexes: readonly string[], isAutoLoaded: boolean): Marks {
  return useQueries({
    queries: dexes.map((dex) => ({ ...dexMarketsQuery(dex), enabled: isAutoLoaded })),
    combine: combined,
  });
}

function combined(asked: readonly UseQueryResult<Parameters<typeof marksOf>[0][number]>[]): Marks {
  const loaded = asked.filter(({ data }) => data !== undefined);
  const marks = marksOf(loaded.flatMap(({ data }) => (data === undefined ? [] : [data])));
  return {
    of: (coin) => marks.get(coin),
    at: loaded.length === 0 ? undefined : Math.min(...loaded.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    error: asked.find(({ isError }) => isError)?.error ?? null,
    isFetching: asked.some(({ isFetching }) => isFetching),
    // A second press before the button is disabled pays for no second call.
    refetch: () => asked.forEach(({ refetch }) => void refetch({ cancelRefetch: false })),
  };
}
