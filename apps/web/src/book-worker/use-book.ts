import { replaceEqualDeep } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { requiredContext } from '../hooks/required-context.ts';
import type { BookState, Live } from './live.ts';
import type { LiveStatus } from './messages.ts';
import { type PaneName, type PaneParams, type PaneResult, paneRequest, type ShownBlock } from './panes.ts';

/** The page's one `Live`; the same instance for the provider's lifetime. */
export const [LiveProvider, useLive] = requiredContext<Live>('The live book');

/**
 * What `select` reads of the book other than panes (`usePane`), at most five times a second, and at once after a change of state or a
 * request. The component renders only when that changes: equal parts of it stay the same objects.
 */
export function useBook<T>(select: (book: BookState) => T): T {
  const live = useLive();
  const last = useRef<{ readonly selected: T; readonly value: T }>(undefined);
  return useSyncExternalStore(live.subscribe, () => {
    const selected = select(live.book());
    // React reads this several times an update, and a comparison takes long.
    if (last.current === undefined || last.current.selected !== selected)
      last.current = { selected, value: replaceEqualDeep<T>(last.current?.value, selected) };
    return last.current.value;
  });
}

/**
 * Requests a pane while the component is mounted, and returns its last result, which names its block. Undefined until there is one,
 * and without parameters, which request nothing.
 */
export function usePane<Name extends PaneName>(
  name: Name,
  params: PaneParams<Name> | undefined,
): PaneResult<Name> | undefined {
  const live = useLive();
  const request = params && paneRequest(name, params);
  useEffect(() => (request === undefined ? undefined : live.requestPane(request)), [live, request]);
  return useSyncExternalStore(live.subscribePanes, () => {
    // A request has only results of its pane.
    return request === undefined ? undefined : (live.book().panes[request] as PaneResult<Name> | undefined);
  });
}

const NO_TICKS: LiveStatus['ticks'] = [];

export function useLiveTicks(): LiveStatus['ticks'] {
  return useBook(({ status }) => status?.ticks ?? NO_TICKS);
}

/**
 * The exchange's clock now, computed from a shown block: ages are counted by it. It stops while the shown book is not the live one,
 * and keeps running between the blocks of a quiet coin. `now` is in this machine's ms.
 */
export function clockOf({ clock, at, frozen }: ShownBlock, now: number): number {
  return frozen ? clock : clock + Math.max(0, now - at);
}

/**
 * Whether the shown numbers are not known to be current, so that nothing of them is in colour: the book is not live. A block held
 * of such a book is no better, because nobody knows how far the market has gone since. A held recording is what it is.
 */
export function isUnproven({ integrity, status }: Pick<BookState, 'integrity' | 'status'>): boolean {
  return integrity.state === 'recorded' ? status?.frozen === undefined : integrity.state !== 'live';
}
