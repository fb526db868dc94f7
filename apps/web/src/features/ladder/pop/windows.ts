import { withJournal } from '../../../book-worker/journal-store.ts';
import { searchTextOf } from '../../../state/page-search.ts';
import { enterWorkspace, type SavedWindow, type Workspace } from '../../../state/workspaces.ts';
import { counted } from '../../../ui/format.ts';
import { toast } from '../../../ui/toast.tsx';
import type { LadderChoices } from '../search.ts';

/** In the URL: the window shows only the ladder. Any other value is the key of a pane. */
export const POP_LADDER = 'ladder';

/** The choices that stay with the page: its ladders, its panes and what else is beside them. */
const OF_PAGE: ReadonlySet<string> = new Set<keyof LadderChoices>([
  'block',
  'books',
  'on',
  'pop',
  'sides',
  'split',
  'pane',
  'panes',
  'closed',
  'chart',
  'strip',
  'time',
  'radar',
]);

export function popHref(coin: string, pop: string, choices: LadderChoices): string {
  const search = new URLSearchParams({ pop });
  for (const [name, choice] of Object.entries(choices)) {
    const text = OF_PAGE.has(name) ? undefined : searchTextOf(choice);
    if (text !== undefined) search.set(name, text);
  }
  return `/book/${encodeURIComponent(coin)}?${search}`;
}

export function openWindow(href: string, open: OpenPopup = openPopup): void {
  if (open(href, USUAL)) return;
  toast('The browser blocked the window. Allow pop-ups for this site.', {
    text: 'Try again',
    run: () => openWindow(href, open),
  });
}

/** The windows that this page has opened and that are still open, with the address that they show by now. */
export function openWindows(): readonly SavedWindow[] {
  for (const one of opened) if (one.closed) opened.delete(one);
  return [...opened]
    .map(({ location: { pathname, search }, screenX, screenY, innerWidth, innerHeight }) => ({
      href: `${pathname}${search}`,
      left: screenX,
      top: screenY,
      width: innerWidth,
      height: innerHeight,
    }))
    .filter(({ href }) => href.startsWith('/book/'));
}

/** Opens the windows of a workspace that are not open yet. Offers to open those that the browser blocks: a press may open some. */
export function restoreWindows(windows: readonly SavedWindow[], open: OpenPopup = openPopup): void {
  const shown = new Set(openWindows().map(({ href }) => href));
  const blocked = windows.filter((saved) => !shown.has(saved.href) && !open(saved.href, saved));
  if (blocked.length === 0) return;
  const count = counted(blocked.length, 'window');
  toast(`The browser blocked ${count} of the workspace. Allow pop-ups for this site.`, {
    text: `Open its ${count}`,
    run: () => restoreWindows(blocked, open),
  });
}

/** Opens the windows of a workspace and applies what its address does not carry; returns the address, to navigate to. */
export function openWorkspace(opened: Workspace): string {
  restoreWindows(opened.windows);
  return enterWorkspace(opened);
}

type OpenPopup = (href: string, place: Partial<Omit<SavedWindow, 'href'>>) => boolean;

const USUAL = { width: 640, height: 900 };

const opened = new Set<Window>();

function openPopup(href: string, { left, top, width, height }: Parameters<OpenPopup>[1]): boolean {
  const places = Object.entries({ left, top, width, height }).filter(([, px]) => px !== undefined);
  const features = ['popup', ...places.map(([name, px]) => `${name}=${px}`)].join();
  const popup = withJournal(() => window.open(href, '_blank', features));
  if (popup !== null) opened.add(popup);
  return popup !== null;
}
