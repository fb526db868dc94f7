import { type Address, INFO_CREDITS } from '@l4desk/protocol';
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import { userFillsQuery } from '../../api/userFills.ts';
import { type RowFills, rowFills, type WalletFills, walletFills } from './fills.ts';
import type { OrderRow } from './order-rows.ts';

/** The fills of these wallets, one call each, loaded once they are wanted and the price rule or a press allows it. Pass a stable list. */
export function useFills(addresses: readonly Address[], isWanted: boolean) {
  const limit = useAutoLoadLimit();
  const queryClient = useQueryClient();
  const [started, setStarted] = useState<readonly Address[]>();
  const isMissing = (address: Address) => queryClient.getQueryData(userFillsQuery(address).queryKey) === undefined;
  const price = addresses.filter(isMissing).length * INFO_CREDITS.userFills;
  const isShown = isWanted && (started === addresses || price <= limit);
  const combine = useCallback(
    (results: readonly UseQueryResult<WalletFills>[]) => ({
      byWallet: new Map(results.flatMap(({ data }, at) => (data && addresses[at] ? [[addresses[at], data]] : []))),
      failed: addresses.filter((_, at) => results[at]?.isError === true),
      error: results.find(({ isError }) => isError)?.error,
      isLoading: results.some(({ isFetching }) => isFetching),
    }),
    [addresses],
  );
  const { byWallet, ...state } = useQueries({
    queries: addresses.map((address) => ({ ...userFillsQuery(address), enabled: isShown, select: walletFills })),
    combine,
  });
  const fillsOf = useMemo(
    () => (isShown ? (row: OrderRow): RowFills => rowFills(row, byWallet.get(row.address)) : undefined),
    [isShown, byWallet],
  );
  return {
    ...state,
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
