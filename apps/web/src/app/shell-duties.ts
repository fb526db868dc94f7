import { isStaleUpstream, type SessionWallets, TARIFF } from '@l4desk/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import { readinessQuery } from '../api/readiness.ts';
import { isSignedOut } from '../api/request.ts';
import { exampleWalletsQuery } from '../api/session.ts';
import { useSession } from '../api/session-context.tsx';
import { useRadar } from '../book-worker/radar/radar.ts';
import { useBook } from '../book-worker/use-book.ts';
import { usePageVisible } from '../hooks/use-media.ts';
import { useAccountCopy } from '../state/account-copy.ts';
import { useUnstored } from '../state/browser-storage.ts';
import { useBurner } from '../state/burn.ts';
import { useUpstreamLag } from '../state/upstream-lag.ts';
import { toast } from '../ui/toast.tsx';
import { markingsOf } from '../wallets/marks.ts';
import { WALLET_COLOURS, type Wallet } from '../wallets/wallet.ts';
import { useWalletBook } from '../wallets/wallet-book.ts';

/** Keeps what belongs to the account on it. */
export function useAccountDocument(): void {
  const { id } = useSession().account;
  useEffect(() => {
    let stop: (() => void) | undefined;
    let hasLeft = false;
    const start = async () => {
      // Loaded separately: nothing of a page waits for it.
      const { keepOnAccount } = await import('./keep-on-account.ts');
      if (!hasLeft) stop = keepOnAccount(id);
    };
    // If the part failed to load, everything stays in this browser until the next visit.
    void start().catch(() => useAccountCopy.setState({ state: 'waiting' }));
    return () => {
      hasLeft = true;
      stop?.();
    };
  }, [id]);
}

/** Adds the simulated exchange's wallets to a demo's address book, once: removed ones do not come back. */
export function useExampleWallets(): void {
  const { demo } = useSession();
  const queryClient = useQueryClient();
  const isRead = useAccountCopy((copy) => copy.isRead);
  const isReading = useAccountCopy(({ state }) => !isRead && (state === 'reading' || state === 'writing'));
  const wanted = useWalletBook((book) => !book.hasExamples) && demo;
  const add = useWalletBook((book) => book.addExamples);
  const awaitWallets = useWalletBook((book) => book.awaitWallets);
  useEffect(() => {
    awaitWallets(isReading || (isRead && wanted));
    // The account may keep a book of which the user removed them.
    if (!isRead || !wanted) return;
    const ask = async () => {
      // If the service does not respond, there are no examples this time; the next visit asks again.
      const response = await queryClient.fetchQuery(exampleWalletsQuery).catch(() => undefined);
      if (response === undefined) awaitWallets(false);
      else add(exampleWallets(response));
    };
    void ask();
  }, [isRead, isReading, wanted, queryClient, add, awaitWallets]);
}

/** The examples as entries of the address book: each with its name; one group and one colour per role. */
function exampleWallets({ wallets }: SessionWallets): readonly Wallet[] {
  const roles = [...new Set(wallets.map(({ role }) => role))];
  return wallets.map(({ address, name, role }) => ({
    address,
    label: name,
    group: role,
    colour: WALLET_COLOURS[(roles.indexOf(role) + 1) % WALLET_COLOURS.length] ?? 'grey',
    tags: ['example'],
  }));
}

/**
 * Keeps the radar running across pages: reports its price to the meter, and passes it the watched wallets and the page's
 * visibility.
 */
export function useRadarDuties(): void {
  const radar = useRadar();
  const coins = useStore(radar.view, ({ coins: followed }) => followed.length);
  useBurner(`Radar of ${coins} coins`, coins === 0 ? undefined : coins * TARIFF.l4BookUpdatesPerCoinMinute);
  const wallets = useWalletBook((book) => book.wallets);
  useEffect(() => radar.watch([...markingsOf(wallets).keys()]), [radar, wallets]);
  const isVisible = usePageVisible();
  useEffect(() => radar.look(isVisible), [radar, isVisible]);
}

/** Tells all pages how late the upstream's state is, from the service's status. */
export function useWatchUpstream(): void {
  const lagMs = useQuery({ ...readinessQuery, select: ({ upstreamInfo }) => upstreamInfo.lagMs }).data;
  useEffect(() => {
    useUpstreamLag.setState({ lagMs: isStaleUpstream(lagMs) ? lagMs : undefined });
    return () => useUpstreamLag.setState({ lagMs: undefined });
  }, [lagMs]);
}

/** Says once that this browser stores nothing more: what the user changes would be lost without a word. */
export function useStorageWarning(): void {
  const isUnstored = useUnstored((state) => state.isUnstored);
  useEffect(() => {
    if (isUnstored) toast('This browser’s storage is full or closed: changes last until this page is closed.');
  }, [isUnstored]);
}

const SIGN_IN = '/sign-in';

/** The longest delay of a browser timer, in ms. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Redirects to sign-in when the session is over, and back to the same address afterwards. A browser does not say why a socket
 * was refused, so every lost connection asks the service once who is signed in. The same question is asked after every query,
 * and every read or write of the account's document, refused with 401; after a sign-in or sign-out in another tab; when the tab
 * becomes visible again; and when the session expires.
 *
 * Loop "session": each of these events asks once; the next question comes with the next event. The question itself is answered
 * with null, never with a 401.
 */
export function useSessionGuard(): void {
  const { account, expiresAt } = useSession();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { sessions } = router.options.context;
  const doubt = useBook(({ status }) => {
    const connection = status?.connection;
    if (connection?.kind === 'waiting') return `waiting ${connection.attempt}`;
    return connection?.kind === 'stopped' ? `stopped ${connection.reason.kind}` : undefined;
  });
  const ask = useCallback(
    async (isOver = false) => {
      // A service that does not respond says nothing about the session; reconnecting continues by itself.
      const now = await sessions.ask().catch(() => undefined);
      const isStill = now === undefined || now?.session.expiresAt === expiresAt;
      if (now !== null && !(isOver && isStill)) return;
      const { href, pathname } = router.state.location;
      sessions.set(null);
      // Several calls were refused at once, and another one has already redirected.
      if (pathname === SIGN_IN) return;
      await router.navigate({ to: SIGN_IN, search: { next: href }, state: { endedFor: account.id }, replace: true });
    },
    [sessions, account.id, expiresAt, router],
  );
  useEffect(() => {
    if (doubt === undefined || doubt === 'stopped closed' || doubt === 'stopped credits') return;
    void ask(doubt === 'stopped credential');
  }, [doubt, ask]);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        // One of two credentials may have been revoked while the session is still valid, so the session itself is checked.
        if (isSignedOut(event.action.error)) void ask();
      }),
    [queryClient, ask],
  );
  const isCopyRefused = useAccountCopy(({ state }) => state === 'signed-out');
  useEffect(() => {
    if (isCopyRefused) void ask();
  }, [isCopyRefused, ask]);
  useEffect(() => sessions.onOtherTab(() => void ask()), [sessions, ask]);
  useEffect(() => {
    const onSight = () => {
      if (!document.hidden) void ask();
    };
    document.addEventListener('visibilitychange', onSight);
    return () => document.removeEventListener('visibilitychange', onSight);
  }, [ask]);
  useEffect(() => {
    const timer = setTimeout(() => void ask(), Math.min(TIMER_MS_MAX, expiresAt - Date.now()));
    return () => clearTimeout(timer);
  }, [expiresAt, ask]);
}
