import { compare } from '@l4desk/decimal';
import { type Address, decimalString, infoCredits, TARIFF, z } from '@l4desk/protocol';
import type { FrontendOpenOrders } from '@l4desk/protocol/upstream';
import { type UseQueryResult, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { MONTH_BASIS, monthFactsOf } from '../../api/account-usage/month-facts.ts';
import { frontendOpenOrdersQuery } from '../../api/frontendOpenOrders.ts';
import { metaAndAssetCtxsQuery } from '../../api/metaAndAssetCtxs.ts';
import { coinsQuery } from '../../api/session.ts';
import { useSession } from '../../api/session-context.tsx';
import { spotMarketsQuery } from '../../api/spotMetaAndAssetCtxs.ts';
import { usageQuery } from '../../api/usage.ts';
import { useDueQueries, useRepeatOnce } from '../../api/use-due-queries.ts';
import { useGrants } from '../../api/use-grants.ts';
import { useSpotNames } from '../../api/use-spot-names.ts';
import { useBook, useLive } from '../../book-worker/use-book.ts';
import { type Dated, useKeptValue } from '../../hooks/use-kept-value.ts';
import { useOpenedAt } from '../../hooks/use-now.ts';
import { useRecentCoins } from '../../state/recents.ts';
import { STALE_AFTER_MS } from '../../wallets/balances/balance-store.ts';
import { dueOf, entriesOf } from '../../wallets/balances/sums.ts';
import { readBalances, roundCredits, useAutoRead, useBalances } from '../../wallets/balances/use-balances.ts';
import { useValue, type Value, valueCredits } from '../../wallets/value/use-value.ts';
import { isNear, isUnwatched, type PositionRow, positionRows } from '../../wallets/value/worth.ts';
import type { Wallet } from '../../wallets/wallet.ts';
import type { AlarmFacts } from './alarms.ts';
import { type CoinMarket, marketsOf } from './funding-extremes.ts';
import { orderSums } from './order-sums.ts';
import { nearMid, positionFunding, positionsByCoin } from './risk.ts';
import { useWorthChanges } from './worth-history.ts';

/** Following a book costs its snapshot and its first minute at once. */
export const BOOK_CREDITS = infoCredits('l4BookSnapshot') + TARIFF.l4BookUpdatesPerCoinMinute;

/** At least this many coins are shown: those followed last, then the exchange's first ones. */
const COINS_SHOWN = 4;

const MARKETS = [metaAndAssetCtxsQuery];

const dated = <T extends z.ZodType>(value: T) => z.object({ at: z.number(), value });

const side = z.object({ count: z.int(), sz: decimalString, notional: decimalString });
const keptOrders = dated(
  z.object({
    wallets: z.string(),
    /** Number of those wallets with a response; the calls of the others failed. The stored name cannot change. */
    answered: z.int(),
    coins: z.array(
      z.object({ coin: z.string(), bids: side, asks: side, triggers: z.int(), others: z.int().default(0) }),
    ),
  }),
);
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

const readOrders = (kept: unknown) => keptOrders.safeParse(kept).data;
const readMarkets = (kept: unknown) => keptMarkets.safeParse(kept).data as Dated<readonly CoinMarket[]> | undefined;

/** Everything that the tiles show, each loaded under the one price rule. */
export function useOverview(wallets: readonly Wallet[], now: number) {
  const { demo, credentials } = useSession();
  const live = useLive();
  const key = wallets.map(({ address }) => address).join();

  const store = useBalances();
  const entries = useMemo(() => entriesOf(wallets, store, now), [wallets, store, now]);
  const openedAt = useOpenedAt();
  const due = useMemo(() => dueOf(entries, openedAt), [entries, openedAt]);

  const orderQueries = useMemo(
    () => (key === '' ? [] : key.split(',')).map((address) => frontendOpenOrdersQuery(address as Address)),
    [key],
  );
  const known = useRecentCoins((state) => state.items);
  const offered = useQuery(coinsQuery).data?.coins;
  const coins = [...new Set([...known, ...(offered ?? []).map(({ coin }) => coin)])].slice(
    0,
    Math.max(known.length, COINS_SHOWN),
  );
  const follows = useBook(({ isFollowing }) => isFollowing);
  const [first] = coins;

  const dueOrders = useDueQueries(orderQueries, STALE_AFTER_MS);
  const dueMarkets = useDueQueries(MARKETS, STALE_AFTER_MS);
  const grants = useGrants(key, [
    { id: 'markets', credits: dueMarkets.length * infoCredits('metaAndAssetCtxs') },
    { id: 'orders', credits: orderCredits(dueOrders.length) },
    { id: 'balances', credits: store.isRestored ? roundCredits(due.length) : undefined },
    // Balances first: they say which accounts may be unified.
    { id: 'worth', credits: due.length > 0 || store.progress ? undefined : valueCredits(entries) },
    // Following keeps costing credits, so with a real key it waits for a click.
    { id: 'book', credits: demo && !follows && first !== undefined ? BOOK_CREDITS : 0 },
  ]);

  // The names of `@N`, loaded once per visit.
  useSpotNames(grants.has('orders'));

  const isFollowed = grants.has('book');
  useEffect(() => {
    if (isFollowed && !live.book().isFollowing && first !== undefined) live.follow(first);
  }, [isFollowed, live, first]);
  const waiting = useAutoRead(entries, store, grants.has('balances') ? Number.POSITIVE_INFINITY : 0);

  const asksMarkets = grants.has('markets');
  useRepeatOnce(dueMarkets, asksMarkets);
  const markets = useQuery({ ...metaAndAssetCtxsQuery, enabled: asksMarkets });
  const freshMarkets = useMemo(
    () => markets.data && { at: markets.dataUpdatedAt, value: marketsOf(markets.data) },
    [markets.data, markets.dataUpdatedAt],
  );
  const asksOrders = grants.has('orders');
  useRepeatOnce(dueOrders, asksOrders);
  const orders = useQueries({
    queries: orderQueries.map((query) => ({ ...query, enabled: asksOrders })),
    combine: combineOrders,
  });
  const freshOrders = useMemo(
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
  const lastOrders = useKeptValue('overview orders', readOrders, freshOrders);
  const shownOrders = lastOrders?.value.wallets === key ? lastOrders : undefined;
  const shownMarkets = useKeptValue('overview markets', readMarkets, freshMarkets);

  const isOld = (shown: Dated<unknown> | undefined) => shown !== undefined && now - shown.at > STALE_AFTER_MS;

  const value: Value = useValue(entries, grants.has('worth'));
  const rows = useMemo(() => positionRows(value), [value]);
  const positions = rows.filter(({ distance }) => distance !== undefined);
  const nearest = positions.reduce<PositionRow | undefined>(
    (least, row) => (least === undefined || compare(row.distance ?? '0', least.distance ?? '0') < 0 ? row : least),
    undefined,
  );

  const byCoin = useMemo(() => positionsByCoin(rows), [rows]);

  const { sum, at: worthAt } = value;
  const oldest = entries.reduce(
    (at, { isCounted, reading }) => (isCounted ? Math.min(at, reading?.at ?? at) : at),
    worthAt ?? Number.POSITIVE_INFINITY,
  );
  const changes = useWorthChanges(
    key,
    worthAt === undefined || value.isFetching || store.progress || sum.missing.length > 0
      ? undefined
      : { at: worthAt, total: sum.total },
  );
  const funding = useMemo(
    () =>
      // The positions of some wallets only would be read as all.
      value.worths.some(({ equity }) => equity === undefined)
        ? undefined
        : positionFunding(
            value.worths.flatMap(({ positions: own }) => own),
            markets.data,
          ),
    [value.worths, markets.data],
  );
  // The mids of spot pairs are loaded with the worth.
  const pairs = useQuery({ ...spotMarketsQuery, enabled: false }).data;
  const near = useMemo(() => {
    if (markets.data === undefined || orders.unknown > 0 || orders.responses.length === 0) return undefined;
    const mids = new Map((pairs?.[1] ?? []).map(({ coin, midPx }) => [coin, midPx ?? undefined]));
    for (const { coin, mid } of marketsOf(markets.data)) mids.set(coin, mid);
    return { ...nearMid(orders.responses, mids), at: markets.dataUpdatedAt };
  }, [markets.data, markets.dataUpdatedAt, orders, pairs]);

  const queryClient = useQueryClient();
  const read = () =>
    void readBalances(
      queryClient,
      wallets.map(({ address }) => address),
    );

  const mayAsk = credentials.service !== null;
  const usage = useQuery({ ...usageQuery(MONTH_BASIS), enabled: mayAsk });
  const month = useMemo(
    () => (mayAsk && usage.data ? monthFactsOf(usage.data, usage.dataUpdatedAt) : undefined),
    [mayAsk, usage.data, usage.dataUpdatedAt],
  );
  return {
    coins,
    store,
    entries,
    worth: {
      value,
      /** Time of the oldest balances or prices, ms. */
      oldest: Number.isFinite(oldest) ? oldest : undefined,
      nearest,
      byCoin,
      changes,
      problem: liquidationProblem(value, rows, now),
      /** Positions within a tenth of their liquidation price. */
      near: positions.filter(({ distance }) => distance !== undefined && isNear(distance)).length,
      press: () => {
        grants.press('worth');
        value.load();
      },
    },
    balances: {
      waiting,
      round: roundCredits(wallets.length),
      /** What a refresh costs: with the worth, once that was loaded. */
      credits: roundCredits(wallets.length) + (worthAt === undefined ? 0 : value.credits),
      isBusy: store.progress !== undefined || (worthAt !== undefined && value.isFetching),
      read,
      refresh: () => {
        read();
        if (worthAt !== undefined) value.load();
      },
    },
    orders: {
      ...orders,
      isRequested: asksOrders,
      shown: shownOrders,
      isOld: isOld(shownOrders),
      credits: orderQueries.length * infoCredits('frontendOpenOrders'),
      firstCredits: orderCredits(orderQueries.length),
      near,
      press: () => grants.press('orders'),
    },
    markets: {
      query: markets,
      isRequested: asksMarkets,
      shown: shownMarkets,
      isOld: isOld(shownMarkets),
      /** What the open positions pay, once the perps of every wallet are loaded. */
      funding,
      press: () => grants.press('markets'),
    },
    usage: { query: usage, month, mayAsk, state: mayAsk ? usageState(usage, now) : 'no ServiceKey' },
  };
}

/** Why the liquidation of some positions is not known. */
function liquidationProblem(
  { at, marks, error, sum }: Value,
  rows: readonly PositionRow[],
  now: number,
): AlarmFacts['liquidation']['problem'] {
  if (at === undefined) return 'worth not loaded';
  if (now - Math.min(at, marks.at) > STALE_AFTER_MS) return 'worth is stale';
  if (error !== undefined) return 'worth not refreshed';
  return sum.isPerpsPartial || rows.some(isUnwatched) ? 'some are not known' : undefined;
}

function usageState(
  { data, dataUpdatedAt, isError }: Pick<UseQueryResult, 'data' | 'dataUpdatedAt' | 'isError'>,
  now: number,
): AlarmFacts['usage'] {
  if (data === undefined) return 'usage not loaded';
  return isError || now - dataUpdatedAt > STALE_AFTER_MS ? 'usage is stale' : 'current';
}

export type Overview = ReturnType<typeof useOverview>;

/** The price of the first responses for this many wallets, including the list of pairs. */
function orderCredits(wallets: number): number {
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
