import { type Address, infoCredits, z } from '@l4desk/protocol';
import type { FrontendOpenOrders } from '@l4desk/protocol/upstream';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { frontendOpenOrdersQuery } from '../../api/frontendOpenOrders.ts';
import { useDueQueries, useRepeatOnce } from '../../api/use-due-queries.ts';
import { useKeptValue } from '../../hooks/use-kept-value.ts';
import { STALE_AFTER_MS } from '../../wallets/balances/balance-store.ts';
import { dated, isOld } from './kept.ts';
import { coinOrders, orderSums } from './order-sums.ts';

const keptOrders = dated(
  z.object({
    wallets: z.string(),
    /** Number of those wallets with a response; the calls of the others failed. The stored name cannot change. */
    answered: z.int(),
    coins: z.array(coinOrders),
  }),
);
const readOrders = (kept: unknown) => keptOrders.safeParse(kept).data;

type OrderQueries = readonly ReturnType<typeof frontendOpenOrdersQuery>[];

/** The calls of some wallets, whose addresses are joined in `key`, and those of them that are due. */
export function useOrderQueries(key: string) {
  const queries: OrderQueries = useMemo(
    () => (key === '' ? [] : key.split(',')).map((address) => frontendOpenOrdersQuery(address as Address)),
    [key],
  );
  return { queries, due: useDueQueries(queries, STALE_AFTER_MS) };
}

interface OpenOrdersOf extends ReturnType<typeof useOrderQueries> {
  readonly key: string;
  readonly isRequested: boolean;
  readonly now: number;
}

/** The open orders of wallets, and their sums: of this visit, or until every wallet has a response, of an earlier one. */
export function useOpenOrders({ key, queries, due, isRequested, now }: OpenOrdersOf) {
  useRepeatOnce(due, isRequested);
  const requested = useMemo(() => queries.map((query) => ({ ...query, enabled: isRequested })), [queries, isRequested]);
  const orders = useQueries({ queries: requested, combine: combineOrders });
  const fresh = useMemo(
    () =>
      // Partial sums would be read as the total.
      orders.unknown > 0 || orders.responses.length === 0
        ? undefined
        : {
            at: orders.at,
            value: { wallets: key, answered: orders.responses.length, coins: orderSums(orders.responses) },
          },
    [orders, key],
  );
  const last = useKeptValue('overview orders', readOrders, fresh);
  const shown = last?.value.wallets === key ? last : undefined;
  return {
    ...orders,
    isRequested,
    shown,
    isOld: isOld(shown, now),
    credits: queries.length * infoCredits('frontendOpenOrders'),
    firstCredits: orderCredits(queries.length),
  };
}

/** The price of the first responses for this many wallets, including the list of pairs. */
export function orderCredits(wallets: number): number {
  return wallets === 0 ? 0 : wallets * infoCredits('frontendOpenOrders') + infoCredits('spotMeta');
}

function combineOrders(results: readonly UseQueryResult<FrontendOpenOrders>[]) {
  const failed = results.filter(({ isError }) => isError);
  const there = results.flatMap(({ data, dataUpdatedAt }) => (data === undefined ? [] : { data, dataUpdatedAt }));
  return {
    responses: there.map(({ data }) => data),
    /** Time of the oldest response. */
    at: there.reduce((oldest, { dataUpdatedAt }) => Math.min(oldest, dataUpdatedAt), Number.POSITIVE_INFINITY),
    all: results.length,
    failed: failed.length,
    /** Calls that have neither loaded nor failed yet. A retry after a failure does not count, so it does not hide the sums. */
    unknown: results.filter(({ data, isFetched }) => data === undefined && !isFetched).length,
    error: failed[0]?.error,
    failedAt: failed.reduce((latest, { errorUpdatedAt }) => Math.max(latest, errorUpdatedAt), 0),
    onTheWay: results.filter(({ isFetching }) => isFetching).length,
    refetch: () => {
      for (const { refetch } of results) void refetch({ cancelRefetch: false });
    },
  };
}
