import { searchTextOf } from '../../../state/page-search.ts';
import { toast } from '../../../ui/toast.tsx';
import type { LadderChoices } from '../search.ts';

/** In the URL: the window shows only the ladder. Any other value is the key of a pane. */
export const POP_LADDER = 'ladder';

/** The choices that a window takes over; ladders and panes beside it stay where they are. */
const TAKEN = ['tick', 'view', 'level', 'order', 'within', 'without', 'only', 'sweep', 'kinds', 'side'] as const;

/** The URL of a ladder or a pane in a separate window. */
export function popHref(coin: string, pop: string, choices: LadderChoices): string {
  const search = new URLSearchParams({ pop });
  for (const name of TAKEN) {
    const text = searchTextOf(choices[name]);
    if (text !== undefined) search.set(name, text);
  }
  return `/book/${encodeURIComponent(coin)}?${search}`;
}

/** Opens the window; shows a notice if the browser blocks it. */
export function openWindow(href: string, open: (href: string) => unknown = openPopup): void {
  if (open(href)) return;
  toast('The browser blocked the window. Allow pop-ups for this site.', {
    text: 'Try again',
    run: () => openWindow(href, open),
  });
}

const openPopup = (href: string) => window.open(href, '_blank', 'popup,width=640,height=900');
