import { useRef } from 'react';
import { blockAgeHint, blockAgeOf, briefText, type shownAgeOf } from '../../../book-worker/clocks.ts';
import { useLive } from '../../../book-worker/live-context.tsx';
import { LiveText, useLiveAttributes } from '../live-text.tsx';

/** Returns a function that says how the age of the last block is measured; it returns undefined while there is no block. */
export function useAgeHint(): () => string | undefined {
  const live = useLive();
  return () => {
    const status = live.status();
    const age = status && blockAgeOf(status, live.source, Date.now());
    return age && blockAgeHint(age, status.times, live.source);
  };
}

interface BlockAgeProps {
  /** Its title. */
  readonly hint?: () => string | undefined;
  /** The age that is shown, if not that of the last block. */
  readonly of?: typeof shownAgeOf;
}

/** The age of the last block. It keeps counting while nothing arrives. */
export function BlockAge({ hint, of = blockAgeOf }: BlockAgeProps) {
  const live = useLive();
  const { source } = live;
  const element = useRef<HTMLSpanElement>(null);
  const age = () => {
    const status = live.status();
    return status === undefined ? undefined : of(status, source, Date.now());
  };
  useLiveAttributes(
    element,
    () => ({}),
    () => {
      const now = age();
      return {
        'data-age-ms': now === undefined ? undefined : String(Math.round(now.ms)),
        'data-age-of': now?.kind,
        title: hint?.(),
      };
    },
  );
  return (
    <span ref={element} data-part="age">
      age{' '}
      <LiveText
        ticks
        read={(status) => {
          const now = of(status, source, Date.now());
          return now === undefined ? '?' : `${briefText(now.ms)}${now.kind === 'arrival' ? '*' : ''}`;
        }}
      />
    </span>
  );
}
