import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { PAID } from '../../api/client.ts';
import { fundingHistoryKey } from '../../api/fundingHistory.ts';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import type { FundingPeriod, History } from './entries.ts';
import { type CoinLoad, FundingLoader, historyIn, holds, isSame } from './loads.ts';
import { creditsOf } from './period.ts';

export interface CoinFunding {
  readonly coin: string;
  /** Undefined before anything was requested. */
  readonly load: CoinLoad | undefined;
  readonly history: History;
}

interface FundingAsk {
  readonly coins: readonly string[];
  /** The period to fetch. */
  readonly period: FundingPeriod;
  /** The part of it in view. */
  readonly view: FundingPeriod;
  /** Whether the user confirmed the price of this period. */
  readonly isAgreed: boolean;
}

/** The histories of some coins in view, fetched as needed; an expensive period waits for confirmation. */
export function useFunding({ coins, period, view, isAgreed }: FundingAsk) {
  const cache = useQueryClient();
  const limit = useAutoLoadLimit();
  const [loader] = useState(() => new FundingLoader(cache));
  const loads = useQueries({
    queries: coins.map((coin) => ({
      queryKey: fundingHistoryKey(coin),
      // Never runs: the loader writes the data, page by page.
      queryFn: (): CoinLoad | null => null,
      enabled: false,
      ...PAID,
    })),
    combine: dataOf,
  });
  const names = coins.join(',');
  const unrequested = loads.filter((load, at) => {
    if (holds(load, period)) return false;
    if (load === undefined || !isSame(load.period, period)) return true;
    return load.kind === 'failed' && loader.continuesByItself(coins[at] ?? '', load);
  });
  const price = unrequested.length * creditsOf(period);
  const asksFirst = price > limit && !isAgreed;
  useEffect(() => {
    if (!asksFirst) loader.need(names === '' ? [] : names.split(','), period);
  }, [loader, names, period, asksFirst]);
  useEffect(() => () => loader.stop('left'), [loader]);
  return {
    loader,
    fundings: useHistories(names, loads, view),
    /** Credits that wait for the user’s confirmation. */
    unagreed: asksFirst ? price : undefined,
  };
}

const dataOf = (results: readonly { readonly data: CoinLoad | null | undefined }[]) =>
  results.map(({ data }) => data ?? undefined);

/** Histories rebuilt only for the coins whose entries or period changed. */
function useHistories(
  names: string,
  loads: readonly (CoinLoad | undefined)[],
  view: FundingPeriod,
): readonly CoinFunding[] {
  const [made] = useState(
    () =>
      new Map<
        string,
        { readonly load: CoinLoad | undefined; readonly view: FundingPeriod; readonly funding: CoinFunding }
      >(),
  );
  return useMemo(
    () =>
      (names === '' ? [] : names.split(',')).map((coin, at) => {
        const load = loads[at];
        const before = made.get(coin);
        if (before !== undefined && before.load === load && before.view === view) return before.funding;
        const funding = { coin, load, history: historyIn(coin, load, view) };
        made.set(coin, { load, view, funding });
        return funding;
      }),
    [names, loads, view, made],
  );
}
