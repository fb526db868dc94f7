import { type Client, spotClearinghouseStates, WalletError } from '@l4desk/client';
import { type Address, address, BATCH_WALLETS_MAX, infoCredits, spotBalanceSlot, z } from '@l4desk/protocol';
import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { accountClient } from '../../api/client.ts';
import { useOpenedAt } from '../../hooks/use-now.ts';
import { currentAccount, storedList } from '../../state/account.ts';
import { keep, readKept } from '../../state/kept-values.ts';
import { isRefusal } from '../../ui/page/advice.ts';
import {
  amountsOf,
  applyRound,
  type Balances,
  change,
  EMPTY_BALANCES,
  type Holding,
  JOURNAL_MAX,
  time,
} from './balance-store.ts';
import { dueOf, unreadOf, type WalletEntry } from './sums.ts';

/** What is known about every wallet, from this visit and earlier ones. Written only by `readBalances` and the restore. */
const balancesQuery = queryOptions({
  queryKey: ['balances'],
  queryFn: skipToken,
  initialData: EMPTY_BALANCES,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
});

export function useBalances(): Balances {
  const queryClient = useQueryClient();
  useEffect(() => void restoreBalances(queryClient), [queryClient]);
  return useQuery(balancesQuery).data ?? EMPTY_BALANCES;
}

/** By the account's own query client. */
const restored = new WeakMap<QueryClient, Promise<void>>();

/** Restores what this browser stores from earlier visits; once per signed-in account. */
function restoreBalances(queryClient: QueryClient): Promise<void> {
  const restoring = restored.get(queryClient) ?? restore(queryClient);
  restored.set(queryClient, restoring);
  return restoring;
}

async function restore(queryClient: QueryClient): Promise<void> {
  const kept = readKeptBalances(await readKept(BALANCES_NAME));
  // Nothing was read before: `readBalances` waits for this.
  queryClient.setQueryData(balancesQuery.queryKey, { ...kept, isRestored: true });
}

/** The cost of one round over this many wallets: 25 credits for every 50 wallets or part of 50. */
export function roundCredits(wallets: number): number {
  return Math.ceil(wallets / BATCH_WALLETS_MAX) * infoCredits('batchSpotClearinghouseState');
}

/**
 * Reads the balances of wallets, 50 a call. Applies every response, even after the page is left, because it is paid for. Only
 * one round runs at a time; a call during a round does nothing.
 */
export async function readBalances(
  queryClient: QueryClient,
  users: readonly Address[],
  asker: Client = accountClient(),
): Promise<void> {
  const change = (update: (balances: Balances) => Balances) =>
    queryClient.setQueryData(balancesQuery.queryKey, (balances) => update(balances ?? EMPTY_BALANCES));
  if (users.length === 0) return;
  const account = currentAccount();
  // Readings are compared with the previous ones, which may be from an earlier visit.
  await restoreBalances(queryClient);
  if (queryClient.getQueryData(balancesQuery.queryKey)?.progress !== undefined) return;
  change((balances) => ({
    ...balances,
    progress: { walletsDone: 0, walletsTotal: users.length, credits: 0 },
    fault: undefined,
  }));
  // A query, so that a refusal with 401 reaches the session guard like any other.
  const round = queryClient.fetchQuery({
    queryKey: ['info', 'batchSpotClearinghouseState', 'round'],
    gcTime: 0,
    queryFn: async () => {
      const { results } = await spotClearinghouseStates(
        asker,
        { users },
        { onProgress: (progress) => void change((before) => ({ ...before, progress })) },
      );
      const balances = change((before) => applyRound(before, results, Date.now()));
      // If another account has signed in meanwhile, it must not store this.
      if (balances !== undefined && currentAccount() === account) void keep(BALANCES_NAME, keptBalances(balances));
      const refused = results.find((result) => result.kind === 'failed' && isRefusal(result.error));
      if (refused?.kind === 'failed') throw refused.error;
      return results.length;
    },
  });
  await round.catch((error: unknown) =>
    change((balances) => ({ ...balances, progress: undefined, fault: { error, at: Date.now() } })),
  );
}

/**
 * Reads what is due on opening the page automatically if that costs no more than `limit` credits, or else only the unread wallets.
 * Returns the credits of unread wallets that wait for a click instead.
 *
 * Loop "unread": after a round, every wallet in it is read or failed; a refusal ends the loop until the user clicks.
 */
export function useAutoRead(entries: readonly WalletEntry[], balances: Balances, limit: number): number {
  const queryClient = useQueryClient();
  const openedAt = useOpenedAt();
  const unread = useMemo(() => unreadOf(entries), [entries]);
  const due = useMemo(() => dueOf(entries, openedAt), [entries, openedAt]);
  const wanted = roundCredits(due.length) <= limit ? due : unread;
  const credits = roundCredits(wanted.length);
  const isRefused = balances.fault !== undefined && balances.fault.at >= openedAt;
  const isIdle = balances.isRestored && balances.progress === undefined && !isRefused;
  const isWanted = isIdle && credits > 0 && credits <= limit;
  useEffect(() => {
    if (isWanted) void readBalances(queryClient, wanted);
  }, [isWanted, queryClient, wanted]);
  return credits <= limit ? 0 : credits;
}

/** The name under which the browser stores balances. */
export const BALANCES_NAME = 'balances';
const VERSION = 1;

const holding = z.object({
  user: address,
  good: z.object({ at: time, state: spotBalanceSlot }).optional(),
  failed: z.object({ at: time, message: z.string() }).optional(),
});

const kept = z.object({
  version: z.literal(VERSION),
  holdings: storedList(holding),
  changes: storedList(change),
  dropped: z.int().min(0),
});

/** The part of the balances that outlives the visit: readings, failures and changes, as plain values. */
export function keptBalances({ holdings, journal }: Balances) {
  return {
    version: VERSION,
    holdings: [...holdings].map(([user, { good, failed }]) => ({
      user,
      ...(good === undefined ? {} : { good: { at: good.at, state: good.state } }),
      ...(failed === undefined ? {} : { failed: { at: failed.at, message: failed.error.message } }),
    })),
    changes: [...journal.changes],
    dropped: journal.dropped,
  };
}

/** Reads stored balances entry by entry, so that an unreadable one does not discard the others. */
export function readKeptBalances(value: unknown): Balances {
  const found = kept.safeParse(value).data;
  if (found === undefined) return EMPTY_BALANCES;
  const holdings = found.holdings.map(({ user, good, failed }): readonly [Address, Holding] => [
    user,
    {
      good: good && { ...good, amounts: amountsOf(good.state) },
      failed: failed && { at: failed.at, error: new WalletError(user, failed.message) },
      refused: undefined,
    },
  ]);
  return {
    ...EMPTY_BALANCES,
    holdings: new Map(holdings),
    journal: { changes: found.changes.slice(0, JOURNAL_MAX), dropped: found.dropped },
  };
}
