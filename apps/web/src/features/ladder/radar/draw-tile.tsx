import type { DecimalString } from '@l4desk/protocol';
import { barsPath } from '../../../ui/draw/bars.ts';

const WIDTH = 100;
const HEIGHT = 16;

/** Changes in each second of the last minute. The same is shown in digits beside it. */
export function EventBars({ events }: { readonly events: readonly number[] }) {
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-4 min-w-0 grow">
      <path d={barsPath(events, WIDTH, HEIGHT, 1)} className="fill-dim/70" />
    </svg>
  );
}

/** The imbalance of sizes: a bar from the middle, to the left for asks, to the right for bids. */
export function LeanBar({ lean }: { readonly lean: DecimalString | null }) {
  const share = Math.max(-1, Math.min(1, Number(lean ?? 0)));
  const width = (Math.abs(share) * WIDTH) / 2;
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} 4`} preserveAspectRatio="none" className="h-1 w-full">
      <rect width={WIDTH} height={4} className="fill-line" />
      <rect
        x={share < 0 ? WIDTH / 2 - width : WIDTH / 2}
        width={width}
        height={4}
        className={share < 0 ? 'fill-ask-mark' : 'fill-bid-mark'}
      />
    </svg>
  );
}
