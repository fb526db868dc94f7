import { searchTextOf } from '../../../state/page-search.ts';
import { usePreferences } from '../../../state/preferences.ts';
import type { Workspace } from '../../../state/workspaces.ts';
import { writeBooks } from '../books/books.ts';
import type { Books } from '../books/use-books.ts';
import { NO_PANE, PANE_KEYS } from '../panes.tsx';
import { openWindows } from '../pop/windows.ts';
import type { LadderChoices } from '../search.ts';
import { type LookChoices, lookChoices, lookOf } from '../use-ladder-look.ts';
import type { Panels } from '../use-panels.ts';

/** The URL parameters that a workspace keeps; passing choices (a row, an order, a moment, a wallet) are not among them. */
type Kept = LookChoices &
  Pick<
    LadderChoices,
    | 'tick'
    | 'view'
    | 'sides'
    | 'books'
    | 'on'
    | 'pane'
    | 'panes'
    | 'closed'
    | 'strip'
    | 'time'
    | 'radar'
    | 'split'
    | 'within'
  >;

/** The page's current state with all remembered settings written out, so that it opens the same everywhere. */
export function currentWorkspace(choices: LadderChoices, books: Books, panels: Panels): Omit<Workspace, 'name'> {
  const [first, ...others] = books.ladders;
  const { ladder, radar } = usePreferences.getState();
  const kept: Kept = {
    ...lookChoices(lookOf(choices, ladder)),
    tick: choices.tick,
    view: choices.view,
    sides: panels.layout === 'split' ? '2' : '1',
    books: writeBooks(others),
    on: books.active === 0 ? undefined : books.active + 1,
    pane: panels.pane ?? NO_PANE,
    panes: panels.order.length === 0 ? PANE_KEYS : panels.order,
    closed: panels.closed.length === 0 ? 'none' : panels.closed,
    strip: panels.strip ? '1' : '0',
    time: panels.time ? '1' : '0',
    radar: panels.radar ? '1' : '0',
    split: panels.split,
    within: choices.within,
  };
  const search: Record<string, string> = {};
  for (const [name, value] of Object.entries(kept)) {
    const text = searchTextOf(value);
    if (text !== undefined) search[name] = text;
  }
  return { coin: first?.coin ?? '', search, radarCoins: radar.coins, windows: [...openWindows()] };
}

/** Whether the page matches a workspace. */
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
