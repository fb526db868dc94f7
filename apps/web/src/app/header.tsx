import type { DataSource, ShownCredential } from '@l4desk/protocol';
import { Link, useLocation } from '@tanstack/react-router';
import { CircleUser, Command, LogOut, SunMoon, Wallet } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../api/session-context.tsx';
import { useBook } from '../book-worker/use-book.ts';
import { useActions } from '../hooks/actions.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { later } from '../ui/later.tsx';
import { Toasts } from '../ui/toast.tsx';
import { useTime } from '../ui/use-time.ts';
import { useWalletsDialog } from '../wallets/use-wallets-dialog.ts';
import { ConnectionBadge } from './connection.tsx';
import { CreditMeter, loadCreditPanel } from './credit-meter.tsx';
import { loadMenus, Menu } from './menu.tsx';
import { PAGES } from './pages.ts';
import { useSignOut } from './use-sign-out.ts';

const AppearancePanel = later(async () => (await import('./appearance-panel.tsx')).AppearancePanel);
const Palette = later(async () => (await import('./palette.tsx')).Palette);
const ShortcutsSheet = later(async () => (await import('./shortcuts-sheet.tsx')).ShortcutsSheet);
const WalletsDialog = later(async () => (await import('../wallets/wallets-dialog.tsx')).WalletsDialog);

/** By then the page has usually drawn itself. */
const AHEAD_MS = 1_500;

/** The line above every page: the page links, the connection, the look, and who is signed in. */
export function Header() {
  const { source } = useSession();
  const [sheet, setSheet] = useState(false);
  const [palette, setPalette] = useState(false);
  const isBookOpen = useWalletsDialog((state) => state.isOpen);
  const openBook = useWalletsDialog((state) => state.open);
  const closeBook = useWalletsDialog((state) => state.close);
  useEffect(() => {
    // Preloaded once the page is idle.
    const timer = setTimeout(() => {
      Palette.ahead();
      ShortcutsSheet.ahead();
      loadMenus();
      AppearancePanel.ahead();
      loadCreditPanel();
    }, AHEAD_MS);
    return () => clearTimeout(timer);
  }, []);
  const openSheet = useCallback(() => setSheet(true), []);
  const closeSheet = useCallback(() => setSheet(false), []);
  const closePalette = useCallback(() => setPalette(false), []);
  const typedAhead = useTypedAhead(palette, closePalette);
  useActions('Everywhere', [
    { id: 'palette', label: 'Command palette', keys: 'Mod+k', isKeyOnly: true, run: () => setPalette(true) },
    { id: 'keys', label: 'Show these shortcuts', keys: '?', isKeyOnly: true, run: openSheet },
  ]);
  return (
    <>
      <header className="@container shrink-0 print:hidden border-b border-line bg-surface-1">
        <div className="@row:relative @row:h-[calc(var(--control)+8px)]">
          <div className="flex flex-wrap items-center gap-x-4 px-3 py-1 @row:own-layout @row:flex-nowrap">
            {/* On a phone it would be a line of its own as soon as the meter gets longer; Overview is the same page. */}
            <Link
              to="/"
              activeOptions={{ exact: true }}
              className="rounded-4 font-semibold tracking-tight text-strong max-sm:hidden"
            >
              L4 Desk
            </Link>
            <nav
              aria-label="Pages"
              className="isolate flex min-w-0 flex-wrap items-center gap-x-1 max-md:gap-0 max-md:order-last max-md:-mx-2 max-md:w-[calc(100%+16px)]"
            >
              {PAGES.map(({ to, text }) => (
                <Link
                  key={to}
                  to={to}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  className="flex h-(--control) shrink-0 items-center rounded-4 px-2 text-dim -outline-offset-2 max-sm:px-1 max-sm:text-12 hover:text-text aria-[current=page]:text-strong data-[status=active]:text-strong data-[status=active]:underline data-[status=active]:decoration-accent data-[status=active]:decoration-2 data-[status=active]:underline-offset-[5px]"
                >
                  {text}
                </Link>
              ))}
            </nav>
            {/* Isolated like the page links, so that it is repainted only when something in it changed. */}
            <div className="isolate ml-auto flex items-center gap-1">
              <SourceBadge source={source} />
              <ConnectionBadge />
              <CreditMeter />
              <IconButton icon={Command} name="Command palette" onClick={() => setPalette(true)} />
              <IconButton icon={Wallet} name="Address book" onClick={openBook} />
              <Menu
                name="Appearance"
                panel={AppearancePanel}
                renderButton={(props) => <IconButton icon={SunMoon} name="Appearance" {...props} />}
              />
              <SessionMenu />
            </div>
          </div>
        </div>
      </header>
      {sheet && <ShortcutsSheet.Part onClose={closeSheet} />}
      {palette && <Palette.Part onClose={closePalette} onShortcuts={openSheet} typedAhead={typedAhead} />}
      {isBookOpen && <WalletsDialog.Part onClose={closeBook} />}
      <Toasts />
    </>
  );
}

function SessionMenu() {
  const session = useSession();
  const { second } = useTime();
  const leave = useSignOut();
  return (
    <Menu name="Session" renderButton={(props) => <IconButton icon={CircleUser} name="Session" {...props} />}>
      <div className="flex min-w-60 flex-col gap-3">
        <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1">
          <dt className="text-dim">Account</dt>
          <dd className="text-right text-strong">{session.account.name}</dd>
          <dt className="text-dim">API key</dt>
          <Credential credential={session.credentials.api} />
          <dt className="text-dim">ServiceKey</dt>
          <Credential credential={session.credentials.service} />
          <dt className="text-dim">Session ends</dt>
          <dd className="num text-right text-12">{second(session.expiresAt)}</dd>
        </dl>
        {leave.isError && (
          <p role="alert" className="text-stale">
            Sign-out failed: {leave.error.message}. Try again.
          </p>
        )}
        <Button look="plain" icon={LogOut} disabled={leave.isPending} onClick={() => leave.mutate()}>
          Sign out
        </Button>
      </div>
    </Menu>
  );
}

function Credential({ credential }: { readonly credential: ShownCredential | null }) {
  if (credential === null) return <dd className="text-right text-dim">none</dd>;
  return (
    <dd className="num text-right text-12" title={credential.label}>
      {credential.shown}
    </dd>
  );
}

/** Shows on every page where the data comes from, unless it is an exchange. */
function SourceBadge({ source }: { readonly source: DataSource }) {
  const { second, day } = useTime();
  const isBook = useLocation({ select: ({ pathname }) => pathname.startsWith('/book/') });
  const from = useBook(({ status }) => status?.recorded?.from.time);
  const to = useBook(({ status }) => status?.recorded?.to.time);
  if (isBook && from !== undefined && to !== undefined) {
    const hint = `The book of a recording, blocks from ${second(from)} to ${second(to)}.`;
    return <RecordedBadge date={day(from)} hint={hint} />;
  }
  switch (source.kind) {
    case 'live':
      return null;
    case 'simulated':
      return <Badge text="Simulated data" short="sim" hint="This market comes from the simulated exchange." />;
    case 'recorded': {
      const hint = `Replay of a recorded exchange, blocks from ${second(source.from)} to ${second(source.to)}. After the last block, the final state stays on screen.`;
      return <RecordedBadge date={day(source.from)} hint={hint} />;
    }
  }
}

function RecordedBadge({ date, hint }: { readonly date: string; readonly hint: string }) {
  return <Badge text={`Recorded ${date}`} short={`rec ${date}`} hint={hint} />;
}

function Badge({ text, short, hint }: { readonly text: string; readonly short: string; readonly hint: string }) {
  return (
    <span title={hint} className="rounded-4 border border-stale px-1.5 text-11 whitespace-nowrap text-stale">
      <span className="max-sm:sr-only">{text}</span>
      <span aria-hidden className="sm:hidden">
        {short}
      </span>
    </span>
  );
}

/**
 * Captures what is typed between the request for a dialog and its first render, so that those keys do not trigger shortcuts of
 * the page. Returns a function that returns the text so far, as the dialog's initial text.
 */
export function useTypedAhead(isAsked: boolean, onEscape: () => void): () => string {
  const typed = useRef('');
  useEffect(() => {
    typed.current = '';
    if (!isAsked) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') !== null) return;
      event.stopPropagation();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') onEscape();
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [isAsked, onEscape]);
  return () => typed.current;
}
