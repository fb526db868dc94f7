import { useSlowResponse } from '../../../book-worker/use-book.ts';
import { secondsText } from '../../../ui/format.ts';

/** The period over which requotes are counted; a pane without room for their column does not have it. */
export function RequoteSpan() {
  const requotes = useSlowResponse('owners', ({ owners }) => owners?.requotes);
  return (
    <p
      data-part="requote-span"
      data-span={requotes?.spanMs}
      className="hidden px-3 py-0.5 text-11 text-dim @min-[29rem]/owners:block"
    >
      {requotes === null ? (
        'rq/min: the shown block is no longer kept'
      ) : (
        <>
          rq/min: requotes under one cloid up to the shown block, over the kept{' '}
          <span className="num">{secondsText(requotes?.spanMs ?? 0)}</span>
        </>
      )}
    </p>
  );
}
