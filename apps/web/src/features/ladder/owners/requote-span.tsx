import { useRef } from 'react';
import { useSlowResponse } from '../../../book-worker/use-slow-pane.ts';
import { secondsText } from '../../../ui/format.ts';
import { SlowText, useSlowAttributes } from '../live-text.tsx';

/** The period over which requotes are counted. */
export function RequoteSpan() {
  const line = useRef<HTMLParagraphElement>(null);
  useSlowAttributes('owners', line, ({ owners }) => ({ 'data-span': owners?.requotes?.spanMs }));
  const isKept = useSlowResponse('owners', ({ owners }) => owners?.requotes !== null);
  return (
    <p ref={line} data-part="requote-span" className="px-3 py-0.5 text-11 text-dim">
      {isKept === false ? (
        'rq/min: the shown block is no longer kept'
      ) : (
        <>
          {/* The number is last: with room for more digits, it would leave a hole in the sentence. */}
          rq/min: requotes under one cloid up to the shown block, over the kept{' '}
          <SlowText pane="owners" room={4} read={({ owners }) => secondsText(owners?.requotes?.spanMs ?? 0)} />
        </>
      )}
    </p>
  );
}
