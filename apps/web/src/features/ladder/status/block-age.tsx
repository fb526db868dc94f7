import { useRef } from 'react';
import { useSession } from '../../../api/session-context.tsx';
import { blockAgeHint, blockAgeOf, briefText } from '../../../book-worker/clocks.ts';
import { useLive } from '../../../book-worker/live-context.tsx';
import { LiveText, useLiveAttributes } from '../live-text.tsx';

/** The age of the last block. It keeps counting while nothing arrives. */
export function BlockAge() {
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
      const times = live.status()?.times;
      return {
        'data-age-ms': now === undefined ? undefined : String(Math.round(now.ms)),
        'data-age-of': now?.kind,
        title: now === undefined || times === undefined ? undefined : blockAgeHint(now, times, source),
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
