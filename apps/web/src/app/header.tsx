import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useShortcuts } from '../hooks/shortcuts.ts';
import { Appearance } from './appearance.tsx';
import { ConnectionBadge } from './connection-badge.tsx';
import { PAGES } from './pages.ts';
import { SessionMenu } from './session-menu.tsx';
import { ShortcutsSheet } from './shortcuts-sheet.tsx';

/** The one line above every page: where one can go, whether the connection stands, how it looks, who is signed in. */
export function Header() {
  const [sheet, setSheet] = useState(false);
  const shortcuts = useMemo(() => [{ key: '?', text: 'Show these shortcuts', run: () => setSheet(true) }], []);
  useShortcuts('Everywhere', shortcuts);
  return (
    <header className="flex flex-wrap items-center gap-x-4 border-b border-line bg-surface-1 px-3 py-1">
      <Link to="/" activeOptions={{ exact: true }} className="rounded-4 font-semibold tracking-tight text-strong">
        L4 Desk
      </Link>
      <nav
        aria-label="Pages"
        className="flex min-w-0 items-center gap-1 overflow-x-auto max-md:gap-0 max-md:order-last max-md:-mx-2 max-md:w-[calc(100%+1rem)]"
      >
        {PAGES.map(({ to, text }) => (
          <Link
            key={to}
            to={to}
            className="flex h-(--control) shrink-0 items-center rounded-4 px-2 text-dim -outline-offset-2 hover:text-text aria-[current=page]:text-strong data-[status=active]:text-strong data-[status=active]:underline data-[status=active]:decoration-accent data-[status=active]:decoration-2 data-[status=active]:underline-offset-[5px]"
          >
            {text}
          </Link>
        ))}
      </nav>
      <div className="ml-auto flex items-center gap-1">
        <ConnectionBadge />
        <Appearance />
        <SessionMenu />
      </div>
      <ShortcutsSheet open={sheet} onClose={() => setSheet(false)} />
    </header>
  );
}
