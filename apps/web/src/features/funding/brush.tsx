import { lazy, type PointerEvent, Suspense, useRef, useState } from 'react';
import { useTime } from '../../ui/use-time.ts';
import type { FundingChart } from './chart-rows.ts';
import type { FundingPeriod } from './entries.ts';
import { DAY_MS, HOUR_MS } from './interval.ts';

const BrushLines = lazy(async () => ({ default: (await import('./rate-lines.tsx')).BrushLines }));

interface BrushProps {
  readonly chart: FundingChart;
  readonly onChange: (view: FundingPeriod) => void;
}

/** The shortest part that can be in view. */
export const SHORTEST_MS = HOUR_MS;

/** A small overview of the whole period with the part in view: drag over it, or move its ends with the arrow keys. */
export function Brush({ chart: { whole, period, view }, onChange }: BrushProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<FundingPeriod>();
  const span = period.to - period.from;
  const shown = drag === undefined ? view : { from: Math.min(drag.from, drag.to), to: Math.max(drag.from, drag.to) };
  const percent = (time: number) => `${((time - period.from) / span) * 100}%`;
  const timeAt = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect();
    const share = box === undefined ? 0 : (clientX - box.left) / box.width;
    return Math.round(period.from + Math.min(1, Math.max(0, share)) * span);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || event.target instanceof HTMLInputElement) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = timeAt(event.clientX);
    setDrag({ from: at, to: at });
  };
  const onPointerUp = () => {
    if (drag === undefined) return;
    setDrag(undefined);
    if (shown.to - shown.from >= SHORTEST_MS) onChange(shown);
  };
  return (
    <div
      ref={frame}
      data-brush
      className="relative h-8 min-w-0 grow cursor-crosshair touch-none bg-surface-1"
      onPointerDown={onPointerDown}
      onPointerMove={(event) => drag && setDrag({ from: drag.from, to: timeAt(event.clientX) })}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
    >
      <div className="absolute inset-0" aria-hidden>
        <Suspense>
          <BrushLines {...{ whole, period }} />
        </Suspense>
      </div>
      <div
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-0 bg-scrim"
        style={{ width: percent(shown.from) }}
      />
      <div
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-0 bg-scrim"
        style={{ left: percent(shown.to) }}
      />
      <End
        name="From"
        bounds={[period.from, shown.to - SHORTEST_MS]}
        at={shown.from}
        left={percent(shown.from)}
        onChange={(from) => onChange({ from, to: shown.to })}
      />
      <End
        name="To"
        bounds={[shown.from + SHORTEST_MS, period.to]}
        at={shown.to}
        left={percent(shown.to)}
        onChange={(to) => onChange({ from: shown.from, to })}
      />
    </div>
  );
}

/** How far a key moves an end, ms. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -HOUR_MS,
  ArrowDown: -HOUR_MS,
  ArrowRight: HOUR_MS,
  ArrowUp: HOUR_MS,
  PageDown: -DAY_MS,
  PageUp: DAY_MS,
};

interface EndProps {
  readonly name: string;
  readonly bounds: readonly [min: number, max: number];
  readonly at: number;
  readonly left: string;
  readonly onChange: (at: number) => void;
}

/** One end of the part in view: a slider without a track. Arrow keys move it by an hour, page keys by a day. */
function End({ name, bounds: [min, max], at, left, onChange }: EndProps) {
  const { second } = useTime();
  return (
    <span
      className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-px bg-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
      style={{ left }}
    >
      <input
        type="range"
        aria-label={name}
        aria-valuetext={second(at)}
        className="sr-only"
        min={min}
        max={max}
        step="any"
        value={at}
        onChange={(event) => onChange(Math.round(event.target.valueAsNumber))}
        onKeyDown={(event) => {
          const by = STEPS[event.key];
          if (by === undefined) return;
          event.preventDefault();
          onChange(Math.min(max, Math.max(min, at + by)));
        }}
      />
    </span>
  );
}
