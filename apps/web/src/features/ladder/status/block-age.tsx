import type { ReactNode } from 'react';
import { blockAgeHint, blockAgeOf, briefText, shownAgeOf } from '../../../book-worker/clocks.ts';
import { BOOK_STATE_TEXTS } from '../../../book-worker/integrity.ts';
import { isUnproven, useBook, useLive } from '../../../book-worker/use-book.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Digits } from '../../../ui/digits.tsx';

export function useAgeHint(): string | undefined {
  const { source } = useLive();
  return useBook(({ status, now }) => {
    const age = status && blockAgeOf(status, source, now);
    return age && blockAgeHint(age, status.times, source);
  });
}

interface BlockAgeProps {
  readonly hint?: string | undefined;
  /** The age that is shown, if not that of the last block. */
  readonly of?: typeof shownAgeOf;
  readonly isShort?: boolean;
}

export function BlockAge({ hint, of = blockAgeOf, isShort = false }: BlockAgeProps) {
  const { source } = useLive();
  const age = useBook(({ status, now }) => status && of(status, source, now));
  return (
    <span data-part="age" data-age-ms={age && Math.round(age.ms)} data-age-of={age?.kind} title={hint}>
      <span className={isShort ? 'sr-only' : undefined}>age </span>
      <Digits room={6}>{age === undefined ? '?' : `${briefText(age.ms)}${age.kind === 'arrival' ? '*' : ''}`}</Digits>
    </span>
  );
}

interface GreyedOutProps {
  readonly className: string;
  readonly children: ReactNode;
}

/** Greys out its content together with the ladder, while the book is not known to be current. */
export function GreyedOut({ className, children }: GreyedOutProps) {
  const isGreyedOut = useBook(isUnproven);
  return (
    <div data-greyed-out={isGreyedOut} className={classNames(className, isGreyedOut && 'grayscale')}>
      {children}
    </div>
  );
}

/** The age of the shown numbers, displayed beside them while they are not known to be current. */
export function UnprovenAge() {
  const { source } = useLive();
  const { state, reason, ms } = useBook((view) => {
    const { integrity, status, now } = view;
    // Not read while nothing is shown: it changes with every status.
    const age = status !== undefined && isUnproven(view) ? shownAgeOf(status, source, now) : undefined;
    return { state: integrity.state, reason: integrity.reason, ms: age?.ms };
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
