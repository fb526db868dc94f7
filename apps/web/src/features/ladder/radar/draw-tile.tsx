import type { DecimalString } from '@l4desk/protocol';

const WIDTH = 100;
const HEIGHT = 16;

/** Changes in each second of the last minute. What it shows is beside it in digits. */
export function EventBars({ events }: { readonly events: readonly number[] }) {
  const most = Math.max(1, ...events);
  const step = WIDTH / events.length;
  const bars = events.map((count, at) =>
    count === 0
      ? ''
      : `M${(at * step).toFixed(2)} ${HEIGHT}v${(-Math.max(1, Math.sqrt(count / most) * HEIGHT)).toFixed(1)}h${(step * 0.8).toFixed(2)}V${HEIGHT}z`,
  );
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-4 min-w-0 grow">
      <path d={bars.join('')} className="fill-dim opacity-70" />
    </svg>
  );
}

/** How sizes lean: a bar to the left for asks, to the right for bids, from the middle. */
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
