import { useNow } from '../hooks/use-now.ts';
import { ticker } from '../state/ticker.ts';
import { type Integrity, integrityOf, stopped } from './integrity.ts';
import type { Live } from './live.ts';
import { useLive, useLiveFailure, useLiveMoment, useLiveStatus } from './live-context.tsx';
import type { LiveStatus } from './messages.ts';

/** The integrity of the shown numbers, with a reason and an age; it updates by itself when one of its time limits passes. */
export function useIntegrity(): Integrity {
  const live = useLive();
  useLiveStatus();
  useLiveFailure();
  useNow();
  return bookViewNow(live).integrity;
}

/** The state of the shown book: its integrity, the last status and the time. */
export interface BookView {
  readonly integrity: Integrity;
  readonly status: LiveStatus | undefined;
  readonly now: number;
}

/** One primitive value of the book view, which also depends on the page's clock; the component renders only when it changes. */
export function useBookView<T extends string | number | boolean | undefined>(read: (view: BookView) => T): T {
  return useLiveMoment((live) => read(bookViewNow(live)));
}

/**
 * Whether the shown numbers are not known to be current, so that nothing of them is in colour: the book is not live. A block held
 * of such a book is no better, because nobody knows how far the market has gone since. A held recording is what it is.
 */
export function isUnproven({ integrity, status }: BookView): boolean {
  return integrity.state === 'recorded' ? status?.frozen === undefined : integrity.state !== 'live';
}

interface KeptView {
  readonly view: BookView;
  readonly failure: string | undefined;
}

/** Dozens of texts read the same view with each status and each tick, so it is computed once for all of them. */
const kept = new WeakMap<Live, KeptView>();

/** The book view now. */
export function bookViewNow(live: Live): BookView {
  const [status, failure, now] = [live.status(), live.failure(), ticker.get()];
  const last = kept.get(live);
  if (last !== undefined && last.view.status === status && last.failure === failure && last.view.now === now)
    return last.view;
  const view = { integrity: integrityAt(status, failure, now, live.source), status, now };
  kept.set(live, { view, failure });
  return view;
}

function integrityAt(
  status: LiveStatus | undefined,
  failure: string | undefined,
  now: number,
  source: Live['source'],
): Integrity {
  if (failure !== undefined) return stopped(status, `an error in the page: ${failure}`, undefined, now);
  // A status can be newer than the half-second tick.
  return integrityOf(status, Math.max(now, status?.lastMessageAt ?? 0), source);
}
