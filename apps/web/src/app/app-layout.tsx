import { TARIFF } from '@l4desk/protocol';
import { QueryClientProvider } from '@tanstack/react-query';
import { getRouteApi, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { retryFreeCalls } from '../api/query-client.ts';
import { SessionProvider } from '../api/session-context.tsx';
import type { SignedIn } from '../api/session-store.ts';
import { Live } from '../book-worker/live.ts';
import { Radar, RadarProvider, startRadarWorker } from '../book-worker/radar/radar.ts';
import { LiveProvider, useBook } from '../book-worker/use-book.ts';
import { startWorker } from '../features/ladder/worker/start-worker.ts';
import { type Action, closePricedAction, useActionKeys, usePricedAction } from '../hooks/actions.ts';
import { useBurner } from '../state/burn.ts';
import { useRecentCoins } from '../state/recents.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { takesFocus } from '../ui/pass-focus.ts';
import { Toasts } from '../ui/toast.tsx';
import { useModal } from '../ui/use-modal.ts';
import { useWatchAlerts } from '../wallets/use-watch-alerts.ts';
import { Header } from './header.tsx';
import {
  useAccountDocument,
  useExampleWallets,
  useRadarDuties,
  useSessionGuard,
  useStorageWarning,
  useWatchUpstream,
} from './shell-duties.ts';

const appRoute = getRouteApi('/app');

/**
 * The shell of every page that needs a session. Each session gets its own page: when another session replaces it, only the data
 * of its account is carried over.
 */
export function AppLayout() {
  const { sessions } = appRoute.useRouteContext();
  const signedIn = useStore(sessions.known);
  if (signedIn === null || signedIn === undefined) return null;
  const { session } = signedIn;
  return (
    <SignedInPages key={`${session.account.id} ${session.expiresAt} ${session.source.kind}`} signedIn={signedIn} />
  );
}

function SignedInPages({ signedIn: { session, cache } }: { readonly signedIn: SignedIn }) {
  const [live] = useState(() => new Live(startWorker, session.source.kind));
  useEffect(() => {
    live.open();
    return () => live.close();
  }, [live]);
  const [radar] = useState(() => new Radar(startRadarWorker));
  useEffect(() => () => radar.stop(), [radar]);
  useEffect(() => cache.show(), [cache]);
  useEffect(() => retryFreeCalls(cache.queryClient), [cache]);
  useActionKeys();
  return (
    <SessionProvider value={session}>
      <QueryClientProvider client={cache.queryClient}>
        <LiveProvider value={live}>
          <RadarProvider value={radar}>
            <Shell />
          </RadarProvider>
        </LiveProvider>
      </QueryClientProvider>
    </SessionProvider>
  );
}

function Shell() {
  useSessionGuard();
  useAccountDocument();
  useExampleWallets();
  // A ladder or a pane in its own window has no header.
  const isWindow = useLocation({ select: ({ search }) => 'pop' in search && search.pop !== undefined });
  useWatchAlerts({ isPoppedOut: isWindow });
  useRadarDuties();
  useWatchUpstream();
  useStorageWarning();
  const coin = useBook(({ status }) => (status?.connection.kind === 'open' ? status.coin : undefined));
  const note = useRecentCoins((state) => state.note);
  useEffect(() => {
    if (coin !== undefined) note(coin);
  }, [coin, note]);
  const isRecorded = useBook(({ status }) => status?.recorded !== undefined);
  useEffect(() => {
    const ending = new AbortController();
    const listen = async () => (await import('../ui/hints.ts')).openHints(ending.signal);
    // Without the file a mouse still reads the titles.
    listen().catch(() => {});
    return () => ending.abort();
  }, []);
  useBurner(`${coin} book`, coin === undefined || isRecorded ? undefined : TARIFF.l4BookUpdatesPerCoinMinute);
  return (
    // Otherwise header, title and strips of an enlarged page would leave no room for what is between them.
    <div className={classNames('flex h-dvh min-w-0 flex-col', !isWindow && 'enlarged:h-130')}>
      <a
        href="#main"
        className="absolute left-1 z-40 -translate-y-full rounded-4 bg-accent px-3 py-1 text-on-accent focus:translate-y-1"
      >
        Skip to the page
      </a>
      {isWindow ? <Toasts /> : <Header />}
      <main id="main" {...takesFocus} className="flex min-h-0 min-w-0 grow flex-col outline-none">
        <Outlet />
      </main>
      <PricedAction />
    </div>
  );
}

/** The dialog of an action whose key was pressed and which costs more than a key may spend. */
export function PricedAction() {
  const action = usePricedAction();
  // The page that registered it may be left.
  useEffect(() => {
    if (action === undefined) closePricedAction();
  }, [action]);
  return action === undefined ? null : <PricedDialog action={action} />;
}

function PricedDialog({ action: { label, price = 0, run } }: { readonly action: Action }) {
  const { close, ...modal } = useModal(true, closePricedAction);
  return (
    <dialog {...modal} aria-label={label} className="rounded-4 border border-edge bg-surface-1 p-4">
      <div className="flex gap-2">
        <Button
          price={price}
          onClick={() => {
            close();
            run();
          }}
        >
          {label}
        </Button>
        <Button look="plain" onClick={close}>
          Cancel
        </Button>
      </div>
    </dialog>
  );
}
