import { Link } from '@tanstack/react-router';
import { Command, SunMoon, Wallet } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useSession } from '../api/session-context.tsx';
import { useActions } from '../hooks/actions.ts';
import { IconButton } from '../ui/button.tsx';
import { Toasts } from '../ui/toast.tsx';
import { useWalletsDialog } from '../wallets/use-wallets-dialog.ts';
import { ConnectionBadge } from './connection.tsx';
import { CreditMeter } from './credit-meter.tsx';
import { later } from './later.tsx';
import { loadMenus, Menu } from './menu.tsx';
import { PAGES } from './pages.ts';
import { SessionMenu } from './session-menu.tsx';
import { SourceBadge } from './source-badge.tsx';
import { useTypedAhead } from './typed-ahead.ts';

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
      <header className="@container shrink-0 border-b border-line bg-surface-1">
        <div className="@row:relative @row:h-[calc(var(--control)+8px)]">
          <div className="flex flex-wrap items-center gap-x-4 px-3 py-1 @row:own-layout @row:flex-nowrap">
            <Link to="/" activeOptions={{ exact: true }} className="rounded-4 font-semibold tracking-tight text-strong">
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
