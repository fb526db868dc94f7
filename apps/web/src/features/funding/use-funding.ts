import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { PAID } from '../../api/client.ts';
import { fundingHistoryKey } from '../../api/fundingHistory.ts';
import { useMayLoad } from '../../api/price-rule.tsx';
import type { FundingPeriod, History } from './entries.ts';
import { type CoinLoad, FundingLoader, historyIn, holds, isSame } from './loads.ts';
import { creditsOf } from './period.ts';

export interface CoinFunding {
  readonly coin: string;
  readonly load: CoinLoad | undefined;
  readonly history: History;
}

interface FundingAsk {
  /** A stable list. */
  readonly coins: readonly string[];
  readonly period: FundingPeriod;
  readonly view: FundingPeriod;
}

/** The histories of some coins in view, fetched as needed; an expensive period waits for confirmation. */
export function useFunding({ coins, period, view }: FundingAsk) {
  const cache = useQueryClient();
  const [loader] = useState(() => new FundingLoader(cache));
  // A stable list: a history is made again only for another load or view.
  const queries = useMemo(
    () =>
      coins.map((coin) => ({
        queryKey: fundingHistoryKey(coin),
        // Never runs: the loader writes the data, page by page.
        queryFn: (): CoinLoad | null => null,
        enabled: false,
        select: (load: CoinLoad | null) => fundingOf(coin, load ?? undefined, view),
        structuralSharing: false,
        ...PAID,
      })),
    [coins, view],
  );
  const combine = useCallback(
    (results: readonly UseQueryResult<CoinFunding>[]) =>
      coins.map((coin, at) => results[at]?.data ?? fundingOf(coin, undefined, view)),
    [coins, view],
  );
  const fundings = useQueries({ queries, combine });
  const unrequested = fundings.filter(({ coin, load }) => {
    if (holds(load, period)) return false;
    if (load === undefined || !isSame(load.period, period)) return true;
    return load.kind === 'failed' && loader.continuesByItself(coin, load);
  });
  const price = unrequested.length * creditsOf(period);
  const { mayLoad, press } = useMayLoad(period, price);
  useEffect(() => {
    if (mayLoad) loader.need(coins, period);
  }, [loader, coins, period, mayLoad]);
  useEffect(() => () => loader.stop('left'), [loader]);
  /** `waiting`: the credits of a load that waits for a press. */
  return { loader, fundings, waiting: mayLoad ? undefined : { credits: price, press } };
}

function fundingOf(coin: string, load: CoinLoad | undefined, view: FundingPeriod): CoinFunding {
  return { coin, load, history: historyIn(coin, load, view) };
}
