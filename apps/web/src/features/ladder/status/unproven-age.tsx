import { briefText, shownAgeOf } from '../../../book-worker/clocks.ts';
import { BOOK_STATE_TEXTS } from '../../../book-worker/integrity.ts';
import { isUnproven, useBook, useLive } from '../../../book-worker/use-book.ts';

/** The age of the shown numbers, displayed beside them while they are not known to be current. */
export function UnprovenAge() {
  const { source } = useLive();
  const state = useBook(({ integrity }) => integrity.state);
  const reason = useBook(({ integrity }) => integrity.reason);
  // Not read while nothing is shown: it changes with every status.
  const ms = useBook((view) => {
    const { status, now } = view;
    if (status === undefined || !isUnproven(view)) return undefined;
    return shownAgeOf(status, source, now)?.ms;
  });
  if (state === 'live' || state === 'recorded' || ms === undefined) return null;
  const { sign, word } = BOOK_STATE_TEXTS[state];
  return (
    <span
      data-part="unproven-age"
      data-age-ms={Math.round(ms)}
      title={`${word}: ${reason}`}
      className="num px-1 text-11 font-semibold whitespace-nowrap text-stale"
    >
      <span aria-hidden>{sign}</span> <span className="sr-only">age </span>
      {briefText(ms)}
    </span>
  );
}
