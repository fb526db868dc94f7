import { searchTextOf } from '../../../state/page-search.ts';
import { toast } from '../../../ui/toast.tsx';
import type { LadderChoices } from '../search.ts';

/** In the address: the window shows the ladder alone. Any other word is the key of a pane. */
export const POP_LADDER = 'ladder';

/** What a window takes along of the choices; ladders and panes beside it stay where they are. */
const TAKEN = ['tick', 'view', 'level', 'order', 'within', 'without', 'only', 'sweep', 'kinds', 'side'] as const;

/** The address of a ladder or a pane in a window of its own. */
export function popHref(coin: string, pop: string, choices: LadderChoices): string {
  const search = new URLSearchParams({ pop });
  for (const name of TAKEN) {
    const text = searchTextOf(choices[name]);
    if (text !== undefined) search.set(name, text);
  }
  return `/book/${encodeURIComponent(coin)}?${search}`;
}

/** Opens the window; says so where the browser does not let it. */
export function openWindow(href: string, open: (href: string) => unknown = openPopup): void {
  if (open(href)) return;
  toast('The browser blocked the window. Allow pop-ups for this site.', {
    text: 'Try again',
    run: () => openWindow(href, open),
  });
}

const openPopup = (href: string) => window.open(href, '_blank', 'popup,width=640,height=900');
