import { useRef } from 'react';
import { useSession } from '../../../api/session-context.tsx';
import { blockAgeHint, blockAgeOf, briefText } from '../../../book-worker/clocks.ts';
import { useLive } from '../../../book-worker/live-context.tsx';
import { LiveText, useLiveAttributes } from '../live-text.tsx';

/** Returns a function that says how the age of the last block is measured; it returns undefined while there is no block. */
export function useAgeHint(): () => string | undefined {
  const live = useLive();
  const source = useSession().source.kind;
  return () => {
    const status = live.status();
    const age = status && blockAgeOf(status, source, Date.now());
    return age && blockAgeHint(age, status.times, source);
  };
}

/** The age of the last block. It keeps counting while nothing arrives. `hint` is its title. */
export function BlockAge({ hint }: { readonly hint?: () => string | undefined }) {
  const live = useLive();
  const source = useSession().source.kind;
  const element = useRef<HTMLSpanElement>(null);
  const age = () => {
    const status = live.status();
    return status === undefined ? undefined : blockAgeOf(status, source, Date.now());
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
          const now = blockAgeOf(status, source, Date.now());
          return now === undefined ? '?' : `${briefText(now.ms)}${now.kind === 'arrival' ? '*' : ''}`;
        }}
      />
    </span>
  );
}
