import { type Address, type HistoricalOrder, infoCredits, type WireFormatError } from '@l4desk/protocol';
import type { UpstreamOrder } from '@l4desk/protocol/upstream';
import {
  type QueryFunctionContext,
  type QueryKey,
  type UseQueryResult,
  useQueries,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { frontendOpenOrdersQuery } from '../../api/frontendOpenOrders.ts';
import { historicalOrdersQuery } from '../../api/historicalOrders.ts';
import { unreadableRowsOf } from '../../api/info-query.ts';
import { useAutoLoadLimit, useMayLoad } from '../../api/price-rule.tsx';
import { useDueQueries, useRepeatOnce } from '../../api/use-due-queries.ts';
import { groupBy } from '../../ui/group-by.ts';
import { isNotServed } from '../../ui/page/advice.ts';
import { type OrderRow, type OrderSource, orderRows } from './order-rows.ts';
import { type OrderCall, type OrderEntry, reportedOrder } from './reported-order.ts';
import type { OrdersView } from './search.ts';

export interface OrderAsk extends OrderSource {
  /** `0x5eaa…/frontendOpenOrders/xyz`. */
  readonly id: string;
}

/** The state of a call. `stale` has an older response and the error of the last attempt. */
export type AskState =
  | { readonly kind: 'never' | 'asking' }
  | { readonly kind: 'ok' }
  | { readonly kind: 'stale' | 'failed'; readonly error: unknown };

export interface AskedOrders {
  readonly ask: OrderAsk;
  readonly state: AskState;
  readonly rows: readonly OrderRow[] | undefined;
  /** Why rows of the response are missing (D59). */
  readonly unreadable: readonly WireFormatError[];
  readonly at: number | undefined;
  readonly refreshing: boolean;
}

/** Wallets for which every call that the upstream serves was answered, with no order in it. */
export function emptyOf(asked: readonly AskedOrders[]): readonly Address[] {
  const served = asked.filter(({ state }) => !('error' in state && isNotServed(state.error)));
  const isEmpty = ({ state, rows, unreadable }: AskedOrders) =>
    state.kind === 'ok' && rows?.length === 0 && unreadable.length === 0;
  const byWallet = groupBy(served, ({ ask }) => ask.address);
  return [...byWallet].flatMap(([address, calls]) => (calls.every(isEmpty) ? [address] : []));
}

/** Orders and fills older than this are loaded again when the page is opened, within the price rule. */
export const ORDERS_STALE_AFTER_MS = 5 * 60_000;

export function asksFor(
  addresses: readonly Address[],
  view: OrdersView,
  dexes: readonly string[],
): readonly OrderAsk[] {
  const calls: readonly (readonly [OrderCall, string])[] = [
    ...(view === 'history' ? [] : ['', ...dexes].map((dex) => ['frontendOpenOrders', dex] as const)),
    ...(view === 'open' ? [] : ([['historicalOrders', '']] as const)),
  ];
  return addresses.flatMap((address) =>
    calls.map(([call, dex]) => ({ id: `${address}/${call}/${dex}`, address, call, dex })),
  );
}

export function creditsOf(asks: readonly OrderAsk[]): number {
  return asks.reduce((total, { call }) => total + infoCredits(call), 0);
}

/** Loads the orders of these wallets, one call each; the rows of every response are made once. Pass a stable list. */
export function useOrderCalls(asks: readonly OrderAsk[]) {
  const limit = useAutoLoadLimit();
  const queryClient = useQueryClient();
  const priceOf = useCallback(
    (some: readonly OrderAsk[]) =>
      creditsOf(some.filter((ask) => queryClient.getQueryData(queryOf(ask).queryKey) === undefined)),
    [queryClient],
  );
  const credits = priceOf(asks);
  const { mayLoad: enabled, press } = useMayLoad(asks, credits);
  const queries = useMemo(
    () =>
      asks.map((ask) => ({
        ...queryOf(ask),
        credits: infoCredits(ask.call),
        // Stable, so that the rows of a response are made once.
        select: (data: Reported) => ({ rows: orderRows(ask, entriesOf(data)), unreadable: unreadableRowsOf(data) }),
      })),
    [asks],
  );
  const due = useDueQueries(queries, ORDERS_STALE_AFTER_MS);
  const dueCredits = due.reduce((total, { credits: own }) => total + own, 0);
  useRepeatOnce(due, dueCredits <= limit);

  const combine = useCallback(
    (results: readonly UseQueryResult<Pick<AskedOrders, 'rows' | 'unreadable'>>[]): readonly AskedOrders[] =>
      asks.flatMap((ask, at) => {
        const result = results[at];
        if (result === undefined) return [];
        const { data, dataUpdatedAt, isFetching } = result;
        const about = { ask, state: stateOf(result), refreshing: data !== undefined && isFetching };
        return [{ rows: undefined, unreadable: [], ...data, ...about, at: data && dataUpdatedAt }];
      }),
    [asks],
  );
  const asked = useQueries({ queries: queries.map((query) => ({ ...query, enabled })), combine });
  return {
    asked,
    /** Credits of what is missing or old on opening, loaded automatically if the price rule allows it. */
    dueCredits,
    /** The price of those calls whose responses are not loaded yet. */
    priceOf,
    /** Set while the page waits for a click, because the calls cost more than it may spend automatically. */
    waiting: enabled ? undefined : { credits, start: press },
    refresh: (wanted = asks) => {
      for (const ask of wanted) void queryClient.fetchQuery({ ...queryOf(ask), staleTime: 0 }).catch(() => undefined);
    },
  };
}

function stateOf(result: UseQueryResult): AskState {
  if (result.isSuccess && !result.isError) return { kind: 'ok' };
  if (result.isError) return { kind: result.data === undefined ? 'failed' : 'stale', error: result.error };
  return { kind: result.isFetching ? 'asking' : 'never' };
}

function queryOf({ address, call, dex }: OrderAsk): OrderQuery {
  switch (call) {
    case 'frontendOpenOrders':
      return frontendOpenOrdersQuery(address, dex);
    case 'historicalOrders':
      return historicalOrdersQuery(address);
  }
}

/** A response as received: orders, or entries with a status. */
type Reported = readonly (UpstreamOrder | HistoricalOrder)[];

interface OrderQuery {
  readonly queryKey: QueryKey;
  // Declared as a method, because each kind's own key is narrower than `QueryKey`.
  queryFn?(context: QueryFunctionContext): Reported | Promise<Reported>;
}

function isHistorical(item: UpstreamOrder | HistoricalOrder): item is HistoricalOrder {
  return 'order' in item;
}

function entriesOf(reported: Reported): readonly OrderEntry[] {
  return reported.map((item) => {
    if (!isHistorical(item)) return { order: reportedOrder(item) };
    const { order, status, statusTimestamp, ...others } = item;
    return {
      ...others,
      order: reportedOrder(order),
      status: status ?? undefined,
      statusTimestamp: statusTimestamp ?? undefined,
    };
  });
}
