import type { TimeResponse } from '../../../book-worker/panes/past.ts';
import { barsPath } from '../../../ui/draw/bars.ts';

interface ActivityProps {
  readonly response: TimeResponse;
  /** The shown block's time. */
  readonly shown: number;
}

const WIDTH = 100;
const HEIGHT = 100;
/** The narrowest gap, so that every gap is seen. */
const GAP_MIN = 0.4;

/**
 * Changes over the kept time, its gaps, and the position of the shown block. In words,
 * the slider around it says which block is shown, and the text beside it how much is kept and how many gaps there are.
 */
export function Activity({ response, shown }: ActivityProps) {
  const { first, last } = response;
  if (first === undefined || last === undefined) return null;
  return (
    <div aria-hidden className="absolute inset-0">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="absolute inset-0 size-full">
        <path d={barsPath(response.activity, WIDTH, HEIGHT)} className="fill-dim opacity-60" />
        <path d={gapsPath(response)} className="fill-stale" />
      </svg>
      {/* A border, because forced colours remove backgrounds. */}
      <span
        data-part="playhead"
        className="absolute -inset-y-1 -translate-x-1/2 border-l-2 border-strong"
        style={{ left: `${(shareOf(response, shown) * 100).toFixed(2)}%` }}
      />
    </div>
  );
}

/** The part of the kept time before a time. */
function shareOf({ first, last }: TimeResponse, time: number): number {
  if (first === undefined || last === undefined) return 0;
  return Math.min(1, Math.max(0, (time - first.time) / Math.max(1, last.time - first.time)));
}

/** The gaps over the bars. */
export function gapsPath(response: TimeResponse): string {
  const gaps = response.gaps.map(({ from, to }) => {
    const start = shareOf(response, from.time) * WIDTH;
    const width = Math.max(GAP_MIN, shareOf(response, to.time) * WIDTH - start);
    return `M${start} 0h${width}v${HEIGHT}h${-width}z`;
  });
  return gaps.join('');
}
