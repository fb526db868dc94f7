import { replaceEqualDeep } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { requiredContext } from '../hooks/required-context.ts';
import { ticker } from '../state/ticker.ts';
import { type Integrity, integrityOf, stopped } from './integrity.ts';
import type { BookState, Live } from './live.ts';
import type { LiveStatus } from './messages.ts';
import type { PanesFrame, SlowPaneName } from './panes.ts';

/** The page's one `Live`; the same instance for the provider's lifetime. */
export const [LiveProvider, useLive] = requiredContext<Live>('The live book');

/**
 * What `select` reads of the book, at most five times a second. The component renders only when that changes: equal parts of it stay
 * the same objects.
 */
export function useBook<T>(select: (book: BookState) => T): T {
  const live = useLive();
  return useShared(live.subscribe, () => select(live.book()));
}

/** What is read of a store, with equal parts kept from the last time. */
function useShared<T>(subscribe: (changed: () => void) => () => void, read: () => T): T {
  const last = useRef<T>(undefined);
  return useSyncExternalStore(subscribe, () => {
    last.current = replaceEqualDeep<T>(last.current, read());
    return last.current;
  });
}

/** A part of the drawn frame; undefined while there is no frame. */
export function usePanes<T>(select: (frame: PanesFrame) => T): T | undefined {
  return useBook(({ panes }) => panes && select(panes));
}

/** A part of the frame with the last response of a pane that is not in every frame; undefined until there is one. */
export function useSlowResponse<T>(name: SlowPaneName, select: (frame: PanesFrame) => T): T | undefined {
  return useBook(({ slow }) => {
    const frame = slow[name];
    return frame && select(frame);
  });
}

const NO_TICKS: LiveStatus['ticks'] = [];

/** The ticks by which the book can be grouped, finest first. */
export function useLiveTicks(): LiveStatus['ticks'] {
  return useBook(({ status }) => status?.ticks ?? NO_TICKS);
}

/**
 * The exchange's clock now, computed from a frame: ages are counted by it. It stops while the shown book is not the live one, and
 * keeps running between the blocks of a quiet coin. `now` is in this machine's ms.
 */
export function clockOf({ clock, at, frozen }: PanesFrame, now: number): number {
  return frozen ? clock : clock + Math.max(0, now - at);
}

/** The state of the shown book: its integrity, the last status and the time. */
export interface BookView {
  readonly integrity: Integrity;
  readonly status: LiveStatus | undefined;
  readonly now: number;
}

/** What `read` reads of the book and its integrity; it also changes with the page's clock. */
export function useBookView<T>(read: (view: BookView) => T): T {
  return useLiveMoment((live) => read(bookViewNow(live)));
}

/** What `read` reads of the page's side of the book; it also changes with the page's clock (`now`). */
export function useLiveMoment<T>(read: (live: Live, now: number) => T): T {
  const live = useLive();
  const subscribe = useCallback(
    (changed: () => void) => {
      const ending = [live.subscribe(changed), ticker.subscribe(changed)];
      return () => {
        for (const end of ending) end();
      };
    },
    [live],
  );
  return useShared(subscribe, () => read(live, ticker.get()));
}

/** The integrity of the shown numbers, with a reason and an age; it updates by itself when one of its time limits passes. */
export function useIntegrity(): Integrity {
  return useBookView(({ integrity }) => integrity);
}

/**
 * Whether the shown numbers are not known to be current, so that nothing of them is in colour: the book is not live. A block held
 * of such a book is no better, because nobody knows how far the market has gone since. A held recording is what it is.
 */
export function isUnproven({ integrity, status }: BookView): boolean {
  return integrity.state === 'recorded' ? status?.frozen === undefined : integrity.state !== 'live';
}

/** Dozens of texts read the same view with each state and each tick, so it is computed once for all of them. */
const kept = new WeakMap<BookState, BookView>();

/** The book view now. */
export function bookViewNow(live: Live): BookView {
  const book = live.book();
  const { status, failure } = book;
  // A status can be newer than the half-second tick.
  const now = Math.max(ticker.get(), status?.lastMessageAt ?? 0);
  const last = kept.get(book);
  if (last?.now === now) return last;
  const integrity =
    failure === undefined
      ? integrityOf(status, now, live.source)
      : stopped(status, `an error in the page: ${failure}`, undefined, now);
  const view = { integrity, status, now };
  kept.set(book, view);
  return view;
}
