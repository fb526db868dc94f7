import { searchTextOf } from '../../../state/page-search.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { SETTING_NAMES, settingsOf, settingTexts } from '../../../state/settings.ts';
import type { Workspace } from '../../../state/workspaces.ts';
import { writeBooks } from '../books/books.ts';
import type { Books } from '../books/use-books.ts';
import { NO_PANE, PANE_KEYS } from '../panes.tsx';
import { openWindows } from '../pop/windows.ts';
import type { LadderChoices } from '../search.ts';
import type { Panels } from '../use-panels.ts';

/**
 * The page's current state with all settings written out, so that it opens the same everywhere; passing choices (a row, an order, a
 * moment, a wallet) are not part of it.
 */
export function currentWorkspace(choices: LadderChoices, books: Books, panels: Panels): Omit<Workspace, 'name'> {
  const [first, ...others] = books.ladders;
  const stored = usePreferences.getState();
  const settings = settingTexts({
    ...settingsOf(SETTING_NAMES, choices, stored),
    books: writeBooks(others),
    pane: panels.pane ?? NO_PANE,
    panes: [...(panels.order.length === 0 ? PANE_KEYS : panels.order)],
    radarStrip: panels.radar,
  });
  const { tick, view, within } = choices;
  const kept = { ...settings, tick, view, within, on: books.active === 0 ? undefined : books.active + 1 };
  const search: Record<string, string> = {};
  for (const [name, value] of Object.entries(kept)) {
    const text = searchTextOf(value);
    if (text !== undefined) search[name] = text;
  }
  return { coin: first?.coin ?? '', search, radarCoins: stored.radarCoins, windows: [...openWindows()] };
}

export function isWorkspace(kept: Workspace, now: Omit<Workspace, 'name'>): boolean {
  const names = new Set([...Object.keys(kept.search), ...Object.keys(now.search)]);
  return (
    kept.coin === now.coin &&
    [...names].every((name) => kept.search[name] === now.search[name]) &&
    isDeepEqual(kept.radarCoins, now.radarCoins) &&
    isDeepEqual(kept.windows, now.windows)
  );
}

function isDeepEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
