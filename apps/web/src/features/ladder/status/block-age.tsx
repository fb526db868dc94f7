import { blockAgeHint, blockAgeOf, briefText, type shownAgeOf } from '../../../book-worker/clocks.ts';
import { useBook, useLive } from '../../../book-worker/use-book.ts';
import { Digits } from '../../../ui/with-numbers.tsx';

/** How the age of the last block is measured; undefined while there is no block. */
export function useAgeHint(): string | undefined {
  const { source } = useLive();
  return useBook(({ status, now }) => {
    const age = status && blockAgeOf(status, source, now);
    return age && blockAgeHint(age, status.times, source);
  });
}

interface BlockAgeProps {
  /** Its title. */
  readonly hint?: string | undefined;
  /** The age that is shown, if not that of the last block. */
  readonly of?: typeof shownAgeOf;
  /** Without the word, which is then only for screen readers. */
  readonly isShort?: boolean;
}

/** The age of the last block. It keeps counting while nothing arrives. */
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
