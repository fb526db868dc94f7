import { coinDex, infoCredits } from '@l4desk/protocol';
import type { MetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dexMarketsQuery } from '../../api/metaAndAssetCtxs.ts';
import { type Market, perpsOf } from '../../api/perps.ts';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import { useDueQueries, useRepeatOnce } from '../../api/use-due-queries.ts';

/** Market data older than this is loaded again when the page is opened, in ms. */
const STALE_AFTER_MS = 300_000;

/** What `metaAndAssetCtxs` reported of each coin, and when. */
export interface Markets {
  readonly of: ReadonlyMap<string, Market>;
  /** The time of the oldest response, in ms; undefined if there is none. */
  readonly at: number | undefined;
  readonly isFetching: boolean;
  readonly error: Error | null;
  /** Loads all of it again, for `credits`. */
  readonly load: () => void;
  readonly credits: number;
}

/** The markets of these coins: one call for each of their dexes, made automatically within the price rule. */
export function useMarkets(coins: readonly string[]): Markets {
  const key = [...new Set(coins.map(coinDex))].toSorted().join();
  const queries = useMemo(() => key.split(',').map(dexMarketsQuery), [key]);
  const due = useDueQueries(queries, STALE_AFTER_MS);
  const isAllowed = due.length * infoCredits('metaAndAssetCtxs') <= useAutoLoadLimit();
  useRepeatOnce(due, isAllowed);
  return useQueries({ queries: queries.map((query) => ({ ...query, enabled: isAllowed })), combine });
}

interface Loaded {
  readonly data: MetaAndAssetCtxs | undefined;
  readonly dataUpdatedAt: number;
  readonly isFetching: boolean;
  readonly error: Error | null;
  readonly refetch: (options: { readonly cancelRefetch: boolean }) => unknown;
}

function combine(loaded: readonly Loaded[]): Markets {
  const perps = loaded.flatMap(({ data }) => (data === undefined ? [] : perpsOf(data)));
  const times = loaded.flatMap(({ data, dataUpdatedAt }) => (data === undefined ? [] : [dataUpdatedAt]));
  return {
    of: new Map(perps.map(({ name, market }) => [name, market])),
    at: times.length === 0 ? undefined : Math.min(...times),
    isFetching: loaded.some(({ isFetching }) => isFetching),
    error: loaded.find(({ error }) => error !== null)?.error ?? null,
    load: () => {
      for (const { refetch } of loaded) void refetch({ cancelRefetch: false });
    },
    credits: loaded.length * infoCredits('metaAndAssetCtxs'),
  };
}
