import type { TimeResponse } from '../../../book-worker/panes/past.ts';
import { barsPath } from '../../../ui/draw/bars.ts';

interface ActivityProps {
  readonly response: TimeResponse;
  /** The shown block's time; below, the marked blocks. */
  readonly shown: number;
  readonly marks: readonly { readonly name: string; readonly time: number }[];
}

const HEIGHT = 100;

/**
 * Changes over the kept time, its gaps, the marked blocks, and the position of the shown block. The same is in words beside it.
 */
export function Activity({ response, shown, marks }: ActivityProps) {
  const { first, last, activity, gaps } = response;
  if (first === undefined || last === undefined) return null;
  const span = Math.max(1, last.time - first.time);
  const x = (time: number) => (Math.min(1, Math.max(0, (time - first.time) / span)) * 100).toFixed(2);
  return (
    <div aria-hidden className="absolute inset-0">
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" className="absolute inset-0 size-full">
        <path d={barsPath(activity, 100, HEIGHT)} className="fill-dim/60" />
        {gaps.map((gap) => (
          <rect
            key={gap.id}
            x={x(gap.from.time)}
            width={Math.max(0.4, Number(x(gap.to.time)) - Number(x(gap.from.time)))}
            y={0}
            height={HEIGHT}
            className="fill-stale"
          />
        ))}
      </svg>
      {marks.map(({ name, time }) => (
        <span
          key={name}
          className="absolute inset-y-0 border-l border-accent pl-0.5 text-11 leading-3 text-accent"
          style={{ left: `${x(time)}%` }}
        >
          {name}
        </span>
      ))}
      <span className="absolute -inset-y-1 w-0.5 -translate-x-1/2 bg-strong" style={{ left: `${x(shown)}%` }} />
    </div>
  );
}
