import type { OwnersResponse } from '../../../book-worker/panes/owners.ts';
import { secondsText } from '../../../ui/format.ts';
import { SteadyText } from '../live-text.tsx';

/** The period over which requotes are counted. */
export function RequoteSpan({ response: { requotes } }: { readonly response: OwnersResponse }) {
  return (
    <p data-part="requote-span" data-span={requotes?.spanMs} className="px-3 py-0.5 text-11 text-dim">
      {requotes === null ? (
        'rq/min: the shown block is no longer kept'
      ) : (
        <>
          rq/min: requotes under one cloid, over the <SteadyText>{secondsText(requotes.spanMs)}</SteadyText> kept up to
          the shown block
        </>
      )}
    </p>
  );
}
