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

/** The dexes whose marks the page shows: the canonical one, for the table of coins, and that of the chosen coin. */
export function dexesOf(coin: string | undefined): readonly string[] {
  return [...new Set(['', coin === undefined ? '' : coinDex(coin)])];
}

export function marksCredits({ length }: readonly unknown[]): number {
  return length * infoCredits('metaAndAssetCtxs');
}

export function useMarks(dexes: readonly string[], isAutoLoaded: boolean): Marks {
  return useQueries({
    queries: dexes.map((dex) => ({ ...dexMarketsQuery(dex), enabled: isAutoLoaded })),
    combine: combined,
  });
}

type Answer = UseQueryResult<Parameters<typeof marksOf>[0][number]>;

function loadOf(asked: readonly Answer[]): Load {
  return {
    credits: marksCredits(asked),
    // A second press before the button is disabled pays for no second call.
    run: () => asked.forEach(({ refetch }) => void refetch({ cancelRefetch: false })),
  };
}

function combined(asked: readonly Answer[]): Marks {
  const loaded = asked.filter(({ data }) => data !== undefined);
  const marks = marksOf(loaded.flatMap(({ data }) => (data === undefined ? [] : [data])));
  return {
    of: (coin) => marks.get(coin),
    at: loaded.length === 0 ? undefined : Math.min(...loaded.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    error: asked.find(({ isError }) => isError)?.error ?? null,
    isFetching: asked.some(({ isFetching }) => isFetching),
    all: loadOf(asked),
    failed: loadOf(asked.filter(({ isError }) => isError)),
    missing: loadOf(asked.filter(({ data, isError }) => data === undefined && !isError)),
  };
}
