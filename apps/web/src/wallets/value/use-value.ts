import type { WalletResult } from '@l4desk/client';
import { type Address, BATCH_WALLETS_MAX, infoCredits, type PerpAccountSlot } from '@l4desk/protocol';
import type { MetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { type QueryClient, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { perpAccountsQuery } from '../../api/batchClearinghouseState.ts';
import { dexMarketsQuery } from '../../api/metaAndAssetCtxs.ts';
import { spotMarketsQuery } from '../../api/spotMetaAndAssetCtxs.ts';
import { useDueQueries, useRepeatOnce } from '../../api/use-due-queries.ts';
import { userAbstractionQuery } from '../../api/userAbstraction.ts';
import { STALE_AFTER_MS } from '../balances/balance-store.ts';
import type { WalletEntry } from '../balances/sums.ts';
import {
  collateralOf,
  marksOf,
  mayBeUnified,
  type PerpAccount,
  perpAccountOf,
  spotPrices,
  type Worth,
  worthOf,
  worthSum,
} from './worth.ts';

const CANONICAL = [''] as const;

/**
 * The price of the value of these wallets beside their spot balances: prices, perps and marks of each dex, and the mode of accounts
 * that may be unified: all of them, or only as many as `modes`.
 */
export function valueCredits(
  entries: readonly WalletEntry[],
  dexes = 1,
  modes = entries.filter(mayBeUnified).length,
): number {
  if (entries.length === 0) return 0;
  const batches = Math.ceil(entries.length / BATCH_WALLETS_MAX);
  const ofDex = batches * infoCredits('batchClearinghouseState') + infoCredits('metaAndAssetCtxs');
  return infoCredits('spotMetaAndAssetCtxs') + dexes * ofDex + modes * infoCredits('userAbstraction');
}

/** How many account modes opening a page pays for: those that are known are kept until a refresh. */
export function unknownModes(queryClient: QueryClient, entries: readonly WalletEntry[]): number {
  return entries.filter(
    (entry) =>
      mayBeUnified(entry) &&
      queryClient.getQueryData(userAbstractionQuery(entry.wallet.address).queryKey) === undefined,
  ).length;
}

/**
 * What wallets are worth in USDC. Nothing is loaded until `isRequested`, and then for all `entries`, so that no search costs credits;
 * the worths are those of the `shown` ones. `dexes` must be stable.
 */
export function useValue(
  entries: readonly WalletEntry[],
  isRequested: boolean,
  dexes: readonly string[] = CANONICAL,
  shown = entries,
) {
  const key = entries.map(({ wallet }) => wallet.address).join();
  const users = useMemo(() => (key === '' ? [] : (key.split(',') as Address[])), [key]);
  const enabled = isRequested && users.length > 0;
  const prices = useQuery({ ...spotMarketsQuery, enabled });
  const perps = useQueries({
    queries: dexes.map((dex) => ({ ...perpAccountsQuery(dex, users), enabled })),
    combine: combineAccounts,
  });
  const marks = useQueries({
    queries: dexes.map((dex) => ({ ...dexMarketsQuery(dex), enabled })),
    combine: combineMarks,
  });
  const unsure = useMemo(() => entries.filter(mayBeUnified).map(({ wallet }) => wallet.address), [entries]);
  const modeQueries = useMemo(() => unsure.map(userAbstractionQuery), [unsure]);
  const requestedModes = useMemo(() => modeQueries.map((query) => ({ ...query, enabled })), [modeQueries, enabled]);
  const modes = useQueries({ queries: requestedModes, combine: combineModes });
  const repeated = useMemo(
    () => [spotMarketsQuery, ...dexes.flatMap((dex) => [perpAccountsQuery(dex, users), dexMarketsQuery(dex)])],
    [dexes, users],
  );
  useRepeatOnce(useDueQueries(repeated, STALE_AFTER_MS), enabled);
  useRepeatOnce(useDueQueries(modeQueries, Number.POSITIVE_INFINITY), enabled);
  const abstractions = useMemo(
    () => new Map(unsure.flatMap((user, at) => (modes.of[at] === undefined ? [] : [[user, modes.of[at]] as const]))),
    [unsure, modes],
  );
  const spot = useMemo(() => prices.data && spotPrices(prices.data), [prices.data]);
  const accounts = useMemo(() => new Map(dexes.map((dex, at) => [dex, perps.accounts[at]])), [dexes, perps]);
  const collaterals = useMemo(
    () =>
      new Map(dexes.flatMap((dex, at) => (marks.tokens[at] === undefined ? [] : [[dex, marks.tokens[at]] as const]))),
    [dexes, marks],
  );
  const worths: readonly Worth[] = useMemo(
    () => shown.map((entry) => worthOf(entry, { prices: spot, accounts, abstractions, collaterals })),
    [shown, spot, accounts, abstractions, collaterals],
  );
  const queries = [prices, ...perps.queries];
  const times = queries.flatMap(({ dataUpdatedAt }) => (dataUpdatedAt === 0 ? [] : [dataUpdatedAt]));
  // A worth without what is on its way would look partial, and change a moment later.
  const isLoading = modes.isLoading || marks.isLoading || queries.some((query) => query.isLoading);
  // Prices alone may have been loaded for other wallets.
  const hasCome = times.length > 0 && perps.queries.some(({ isPending }) => !isPending) && !isLoading;
  // Once shown, it stays: a refresh repeats calls that failed, and may find one more account whose mode is needed.
  const [shownKey, setShownKey] = useState<string>();
  if (hasCome && shownKey !== key) setShownKey(key);
  const isShown = hasCome || (shownKey === key && times.length > 0);
  const at = isShown ? Math.min(...times) : undefined;
  // A refresh also repeats the modes that are known: an account may have changed its mode.
  const modeCalls = at === undefined ? modes.missing : modes.refetch;
  // The marks may also have failed for something else, before these wallets were asked for.
  const failed =
    queries.find(({ error }) => error !== null) ?? modes.outdated ?? (at === undefined ? undefined : marks.failed);
  return {
    worths,
    sum: useMemo(() => worthSum(worths), [worths]),
    pricesAt: prices.dataUpdatedAt,
    marks,
    /** Time of the oldest response of the worths, in ms; undefined until all that the first load of these wallets asks for has come or failed. */
    at,
    isFetching: isLoading || modes.isFetching || queries.some(({ isFetching }) => isFetching),
    error: failed?.error ?? undefined,
    /** When the call failed whose error this is, in ms; 0 without one. */
    failedAt: failed?.errorUpdatedAt ?? 0,
    credits: valueCredits(entries, dexes.length, modeCalls.length),
    load: () => {
      for (const { refetch } of queries) void refetch({ cancelRefetch: false });
      for (const refetch of [...marks.refetch, ...modeCalls]) void refetch({ cancelRefetch: false });
    },
  };
}

export type Value = ReturnType<typeof useValue>;

function combineAccounts(queries: readonly UseQueryResult<ReadonlyMap<Address, WalletResult<PerpAccountSlot>>>[]) {
  return { queries, accounts: queries.map(({ data }) => data && accountsOf(data.values())) };
}

function accountsOf(results: Iterable<WalletResult<PerpAccountSlot>>): ReadonlyMap<Address, PerpAccount> {
  const accounts = new Map<Address, PerpAccount>();
  for (const result of results) if (result.kind === 'state') accounts.set(result.user, perpAccountOf(result.state));
  return accounts;
}

function combineMarks(results: readonly UseQueryResult<MetaAndAssetCtxs>[]) {
  return {
    of: marksOf(results.flatMap(({ data }) => (data === undefined ? [] : [data]))),
    tokens: results.map(({ data }) => data && collateralOf(data)),
    /** Time of the oldest response, in ms; infinite before the first one. */
    at: Math.min(...results.flatMap(({ data, dataUpdatedAt }) => (data === undefined ? [] : dataUpdatedAt))),
    failed: results.find(({ error }) => error !== null),
    isLoading: results.some(({ isLoading }) => isLoading),
    refetch: results.map(({ refetch }) => refetch),
  };
}

function combineModes(results: readonly UseQueryResult[]) {
  return {
    of: results.map(({ data }) => (typeof data === 'string' ? data : undefined)),
    isLoading: results.some(({ isLoading }) => isLoading),
    isFetching: results.some(({ isFetching }) => isFetching),
    /** Of those that failed, or were never loaded. */
    missing: results.flatMap(({ data, refetch }) => (data === undefined ? refetch : [])),
    /** A mode that is known but failed to load again. */
    outdated: results.find(({ data, error }) => data !== undefined && error !== null),
    refetch: results.map(({ refetch }) => refetch),
  };
}
