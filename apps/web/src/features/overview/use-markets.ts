import { z } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { metaAndAssetCtxsQuery } from '../../api/metaAndAssetCtxs.ts';
import { useRepeatOnce } from '../../api/use-due-queries.ts';
import { useKeptValue } from '../../hooks/use-kept-value.ts';
import { currentMarket, marketsOf } from './funding-extremes.ts';
import { dated, isOld } from './kept.ts';

const keptMarkets = dated(z.array(currentMarket));

const readMarkets = (kept: unknown) => keptMarkets.safeParse(kept).data;

/** The markets of the canonical dex: of this visit, or until they are loaded, of an earlier one. */
export function useMarkets(due: readonly (typeof metaAndAssetCtxsQuery)[], isRequested: boolean, now: number) {
  useRepeatOnce(due, isRequested);
  const query = useQuery({ ...metaAndAssetCtxsQuery, enabled: isRequested });
  const { data, dataUpdatedAt: at } = query;
  const fresh = useMemo(() => data && { at, value: marketsOf(data) }, [data, at]);
  const shown = useKeptValue('overview markets', readMarkets, fresh);
  return { query, isRequested, shown, isOld: isOld(shown, now) };
}
