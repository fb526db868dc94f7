import { type Address, INFO_CREDITS } from '@l4desk/protocol';
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import { useDueQueries, useRepeatOnce } from '../../api/use-due-queries.ts';
import { userFillsQuery } from '../../api/userFills.ts';
import { earliestOf } from './coverage.ts';
import { type RowFills, rowFills, type WalletFills, walletFills } from './fills.ts';
import type { OrderRow } from './order-rows.ts';
import { ORDERS_STALE_AFTER_MS } from './use-order-calls.ts';

/**
 * The fills of these wallets, one call each. Once they are wanted they are loaded after a press, or automatically if that, besides
 * the credits that the page spends anyway, is within the price rule. Pass a stable list.
 */
export function useFills(addresses: readonly Address[], isWanted: boolean, besides: number) {
  const limit = useAutoLoadLimit();
  const queryClient = useQueryClient();
  const [started, setStarted] = useState<readonly Address[]>();
  const isMissing = (address: Address) => queryClient.getQueryData(userFillsQuery(address).queryKey) === undefined;
  const price = addresses.filter(isMissing).length * INFO_CREDITS.userFills;
  const isShown = isWanted && (started === addresses || price === 0 || besides + price <= limit);
  const queries = useMemo(() => addresses.map(userFillsQuery), [addresses]);
  const due = useDueQueries(queries, ORDERS_STALE_AFTER_MS);
  useRepeatOnce(due, isShown && besides + due.length * INFO_CREDITS.userFills <= limit);
  const combine = useCallback(
    (results: readonly UseQueryResult<WalletFills>[]) => ({
      byWallet: new Map(results.flatMap(({ data }, at) => (data && addresses[at] ? [[addresses[at], data]] : []))),
      failed: addresses.filter((_, at) => results[at]?.isError === true),
      error: results.find(({ isError }) => isError)?.error,
      at: earliestOf(results.map(({ data, dataUpdatedAt }) => data && dataUpdatedAt)),
      isLoading: results.some(({ isFetching }) => isFetching),
    }),
    [addresses],
  );
  const { byWallet, at, ...state } = useQueries({
    queries: queries.map((query) => ({ ...query, enabled: isShown, select: walletFills })),
    combine,
  });
  const fillsOf = useMemo(
    () => (isShown ? (row: OrderRow): RowFills => rowFills(row, byWallet.get(row.address)) : undefined),
    [isShown, byWallet],
  );
  return {
    ...state,
    /** Time of the oldest response shown, in ms. */
    at: isShown ? at : undefined,
    /** Credits for what is not loaded yet. */
    price,
    /** The fills of a row; undefined while they are not wanted or wait for a press. */
    fillsOf,
    /** Allows the calls whatever they cost. */
    start: () => setStarted(addresses),
    refresh: (wanted: readonly Address[] = addresses) => {
      for (const address of wanted) {
        void queryClient.fetchQuery({ ...userFillsQuery(address), staleTime: 0 }).catch(() => undefined);
      }
    },
  };
}

export type Fills = ReturnType<typeof useFills>;
