import { decimalString, z } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { metaAndAssetCtxsQuery } from '../../api/metaAndAssetCtxs.ts';
import { useRepeatOnce } from '../../api/use-due-queries.ts';
import { type Dated, useKeptValue } from '../../hooks/use-kept-value.ts';
import { type CoinMarket, marketsOf } from './funding-extremes.ts';
import { dated, isOld } from './kept.ts';

const keptMarkets = dated(
  z.array(
    z.object({
      coin: z.string(),
      mid: decimalString.optional(),
      change: z.string().optional(),
      funding: decimalString,
    }),
  ),
);

const readMarkets = (kept: unknown) => keptMarkets.safeParse(kept).data as Dated<readonly CoinMarket[]> | undefined;

/** The markets of the canonical dex: of this visit, or until they are loaded, of an earlier one. */
export function useMarkets(due: readonly (typeof metaAndAssetCtxsQuery)[], isRequested: boolean, now: number) {
  useRepeatOnce(due, isRequested);
  const query = useQuery({ ...metaAndAssetCtxsQuery, enabled: isRequested });
  const { data, dataUpdatedAt: at } = query;
  const fresh = useMemo(() => data && { at, value: marketsOf(data) }, [data, at]);
  const shown = useKeptValue('overview markets', readMarkets, fresh);
  return { query, isRequested, shown, isOld: isOld(shown, now) };
}
