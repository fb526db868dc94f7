import { TARIFF } from '@l4desk/protocol';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useBurner } from '../hooks/burn.ts';
import { useShortcutKeys } from '../hooks/shortcuts.ts';
import { Live, startWorker } from '../live/live.ts';
import { LiveProvider, useLiveValue } from '../live/live-context.tsx';
import { useExampleWallets } from './example-wallets.ts';
import { Header } from './header.tsx';
import { useSessionGuard } from './session-guard.ts';

/** The shell of every page that needs a session: one worker with the live data, the header, and the page. */
export function DeskLayout() {
  const [live] = useState(() => new Live(startWorker));
  useEffect(() => {
    live.open();
    return () => live.close();
  }, [live]);
  useShortcutKeys();
  return (
    <LiveProvider value={live}>
      <Shell />
    </LiveProvider>
  );
}

function Shell() {
  useSessionGuard();
  useExampleWallets();
  const coin = useLiveValue((status) => (status?.connection.kind === 'open' ? status.coin : undefined));
  useBurner(`${coin} book`, coin === undefined ? undefined : TARIFF.l4BookUpdatesPerCoinMinute);
  return (
    <div className="flex h-dvh min-w-0 flex-col">
      <a
        href="#main"
        className="absolute z-40 -translate-y-full rounded-4 bg-accent px-3 py-1 text-on-accent focus:translate-y-1"
      >
        Skip to the page
      </a>
      <Header />
      <main id="main" tabIndex={-1} className="flex min-h-0 min-w-0 grow flex-col outline-none">
        <Outlet />
      </main>
    </div>
  );
}
