import { infoCredits, TARIFF } from '@l4desk/protocol';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { MONTH_BASIS, monthFactsOf } from '../../api/account-usage/month-facts.ts';
import { metaAndAssetCtxsQuery } from '../../api/metaAndAssetCtxs.ts';
import { coinsQuery } from '../../api/session.ts';
import { useSession } from '../../api/session-context.tsx';
import { spotMarketsQuery } from '../../api/spotMetaAndAssetCtxs.ts';
import { usageQuery } from '../../api/usage.ts';
import { useDueQueries } from '../../api/use-due-queries.ts';
import { useGrants } from '../../api/use-grants.ts';
import { useSpotNames } from '../../api/use-spot-names.ts';
import { useBook, useLive } from '../../book-worker/use-book.ts';
import { useOpenedAt } from '../../hooks/use-now.ts';
import { useRecentCoins } from '../../state/recents.ts';
import { STALE_AFTER_MS } from '../../wallets/balances/balance-store.ts';
import { dueOf, entriesOf } from '../../wallets/balances/sums.ts';
import { readBalances, roundCredits, useAutoRead, useBalances } from '../../wallets/balances/use-balances.ts';
import { unknownModes, valueCredits } from '../../wallets/value/use-value.ts';
import type { Wallet } from '../../wallets/wallet.ts';
import type { AlarmFacts } from './alarms.ts';
import { marketsOf } from './funding-extremes.ts';
import { nearMid, positionFunding } from './risk.ts';
import { useMarkets } from './use-markets.ts';
import { orderCredits, useOpenOrders, useOrderQueries } from './use-open-orders.ts';
import { useWorth } from './use-worth.ts';

/** Following a book costs its snapshot and its first minute at once. */
export const BOOK_CREDITS = infoCredits('l4BookSnapshot') + TARIFF.l4BookUpdatesPerCoinMinute;

/** At least this many coins are shown: those followed last, then the exchange's first ones. */
const COINS_SHOWN = 4;

const MARKETS = [metaAndAssetCtxsQuery];

/** Everything that the tiles show, each loaded under the one price rule. */
export function useOverview(wallets: readonly Wallet[], now: number) {
  const { demo, credentials } = useSession();
  const queryClient = useQueryClient();
  const key = wallets.map(({ address }) => address).join();

  const store = useBalances();
  const entries = useMemo(() => entriesOf(wallets, store, now), [wallets, store, now]);
  const openedAt = useOpenedAt();
  const due = useMemo(() => dueOf(entries, openedAt), [entries, openedAt]);
  const orderQueries = useOrderQueries(key);
  const dueMarkets = useDueQueries(MARKETS, STALE_AFTER_MS);
  const coins = useCoins();
  const [first] = coins;
  const follows = useBook(({ isFollowing }) => isFollowing);
  const grants = useGrants(key, [
    { id: 'markets', credits: dueMarkets.length * infoCredits('metaAndAssetCtxs') },
    { id: 'orders', credits: orderCredits(orderQueries.due.length) },
    { id: 'balances', credits: store.isRestored ? roundCredits(due.length) : undefined },
    // Balances first: they say which accounts may be unified.
    {
      id: 'worth',
      credits:
        due.length > 0 || store.progress ? undefined : valueCredits(entries, 1, unknownModes(queryClient, entries)),
    },
    // Following keeps costing credits, so with a real key it waits for a click.
    { id: 'book', credits: demo && !follows && first !== undefined ? BOOK_CREDITS : 0 },
  ]);

  // The names of `@N`, loaded once per visit.
  useSpotNames(grants.has('orders'));
  useFollowed(grants.has('book') ? first : undefined);
  const waiting = useAutoRead(entries, store, grants.has('balances') ? Number.POSITIVE_INFINITY : 0);
  const markets = useMarkets(dueMarkets, grants.has('markets'), now);
  const orders = useOpenOrders({ key, ...orderQueries, isRequested: grants.has('orders'), now });
  const worth = useWorth({ key, entries, store, isRequested: grants.has('worth'), now });
  const { value } = worth;
  const hasWorth = value.at !== undefined;
  const rates = markets.query.data;
  const funding = useMemo(
    () =>
      // The positions of some wallets only would be read as all.
      value.worths.some(({ equity }) => equity === undefined)
        ? undefined
        : positionFunding(
            value.worths.flatMap(({ positions }) => positions),
            rates,
          ),
    [value.worths, rates],
  );

  const read = () =>
    void readBalances(
      queryClient,
      wallets.map(({ address }) => address),
    );
  return {
    coins,
    store,
    entries,
    worth: {
      ...worth,
      press: () => {
        grants.press('worth');
        value.load();
      },
    },
    balances: {
      waiting,
      round: roundCredits(wallets.length),
      /** What a refresh costs: with the worth, once that was loaded. */
      credits: roundCredits(wallets.length) + (hasWorth ? value.credits : 0),
      isBusy: store.progress !== undefined || (hasWorth && value.isFetching),
      read,
      refresh: () => {
        read();
        if (hasWorth) value.load();
      },
    },
    orders: { ...orders, near: useNearMid(orders, markets.query), press: () => grants.press('orders') },
    markets: {
      ...markets,
      /** What the open positions pay, once the perps of every wallet are loaded. */
      funding,
      press: () => grants.press('markets'),
    },
    usage: useMonth(credentials.service !== null, now),
  };
}

/** The coins of the books: those followed last, then the exchange's first ones. */
function useCoins(): readonly string[] {
  const known = useRecentCoins((state) => state.items);
  const offered = useQuery(coinsQuery).data?.coins ?? [];
  const all = new Set([...known, ...offered.map(({ coin }) => coin)]);
  return [...all].slice(0, Math.max(known.length, COINS_SHOWN));
}

/** Follows a coin unless a book is followed already. */
function useFollowed(coin: string | undefined): void {
  const live = useLive();
  useEffect(() => {
    if (coin !== undefined && !live.book().isFollowing) live.follow(coin);
  }, [live, coin]);
}

/** The open orders near the mid, once every wallet has a response. */
function useNearMid({ unknown, responses }: OpenOrders, { data, dataUpdatedAt: at }: Markets['query']) {
  // The mids of spot pairs are loaded with the worth.
  const pairs = useQuery({ ...spotMarketsQuery, enabled: false }).data;
  return useMemo(() => {
    if (data === undefined || unknown > 0 || responses.length === 0) return undefined;
    const mids = new Map((pairs?.[1] ?? []).map(({ coin, midPx }) => [coin, midPx ?? undefined]));
    for (const { coin, mid } of marketsOf(data)) mids.set(coin, mid);
    return { ...nearMid(responses, mids), at };
  }, [data, at, unknown, responses, pairs]);
}

type OpenOrders = ReturnType<typeof useOpenOrders>;
type Markets = ReturnType<typeof useMarkets>;

/** The credits of this month. */
function useMonth(mayAsk: boolean, now: number) {
  const query = useQuery({ ...usageQuery(MONTH_BASIS), enabled: mayAsk });
  const { data, dataUpdatedAt: at } = query;
  const month = useMemo(() => (mayAsk && data ? monthFactsOf(data, at) : undefined), [mayAsk, data, at]);
  return { query, month, mayAsk, state: mayAsk ? usageState(query, now) : ('no ServiceKey' as const) };
}

function usageState(
  { data, dataUpdatedAt, isError }: Pick<UseQueryResult, 'data' | 'dataUpdatedAt' | 'isError'>,
  now: number,
): AlarmFacts['usage'] {
  if (data === undefined) return 'usage not loaded';
  return isError || now - dataUpdatedAt > STALE_AFTER_MS ? 'usage is stale' : 'current';
}

export type Overview = ReturnType<typeof useOverview>;
