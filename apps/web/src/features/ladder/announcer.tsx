import { useEffect, useState } from 'react';
import { useIntegrity } from './use-integrity.ts';

/** At least this long between two announcements. */
const CALM_MS = 4_000;

/** Tells screen readers what the book is worth when that changes, never what every block brings. */
export function Announcer({ coin, paused }: { readonly coin: string; readonly paused: boolean }) {
  const { kind, reason } = useIntegrity();
  const text = paused ? `${coin} book paused` : `${coin} book ${kind === 'quiet' ? 'exact' : kind}: ${reason}`;
  const stable = kind === 'quiet' || kind === 'exact' ? `${coin} book exact` : text;
  const wanted = paused ? text : stable;
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(wanted), said === '' ? 0 : CALM_MS);
    return () => clearTimeout(timer);
  }, [wanted, said]);
  return (
    <p className="sr-only" aria-live="polite" data-part="announcer">
      {said}
    </p>
  );
}
