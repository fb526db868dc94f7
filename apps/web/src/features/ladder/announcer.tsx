import { useEffect, useState } from 'react';
import { BOOK_STATE_TEXTS } from '../../book-worker/integrity.ts';
import { useBook, useLive } from '../../book-worker/use-book.ts';
import { describeReport } from './status-chip.tsx';

/** Minimum time between two announcements. */
const CALM_MS = 4_000;

/**
 * Announces the integrity of the book to screen readers when it changes, not with every block, and the result of a comparison. Of
 * comparisons at intervals it announces only those that found no equal book.
 */
export function Announcer({ coin, paused }: { readonly coin: string; readonly paused: boolean }) {
  const text = useBook(({ integrity: { state, reason } }) => {
    const word = BOOK_STATE_TEXTS[state].word.toLowerCase();
    return state === 'live' ? word : `${word}: ${reason}`;
  });
  const isRecorded = useBook(({ integrity }) => integrity.state === 'recorded');
  const live = useLive();
  const compared = useBook(({ status }) => {
    const report = status?.verification;
    const isSaid =
      report !== undefined && report.kind !== 'running' && !(live.isVerifiedAtIntervals && report.kind === 'equal');
    return isSaid ? describeReport(report, 0).detail : '';
  });
  const wanted = `${coin} book ${paused && !isRecorded ? 'paused' : text}`;
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(wanted), said === '' ? 0 : CALM_MS);
    return () => clearTimeout(timer);
  }, [wanted, said]);
  return (
    <>
      <p className="sr-only" aria-live="polite" data-part="announcer">
        {said}
      </p>
      <p className="sr-only" aria-live="polite" data-part="compared">
        {compared}
      </p>
    </>
  );
}
