import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { useSize } from '../../hooks/use-size.ts';
import { linearScale } from '../../ui/draw/scale.ts';
import type { ChartView } from './chart-view.ts';
import { DrawFrame } from './draw-frame.tsx';
import { BOTTOM, leastHeight, type PlotEdges, TOP } from './draw-layout.ts';
import { panesOf } from './draw-panes.tsx';
import type { DrawnSeries } from './draw-series.ts';
import type { FundingPeriod, History } from './entries.ts';

interface DrawChartProps extends ChartView {
  readonly histories: readonly History[];
  /** Their rates, in the unit. */
  readonly series: readonly DrawnSeries[];
  /** The series of the panes below the rates, one per coin. */
  readonly paneSeries: readonly DrawnSeries[];
  readonly edges: PlotEdges;
  /** The cursor's time, ms. */
  readonly cursor: number | undefined;
  readonly onCursor: (time: number | undefined, by: 'pointer' | 'keyboard') => void;
  readonly onZoom: (part: FundingPeriod) => void;
  readonly onOpen: (time: number) => void;
}

/** A drag shorter than this is a click. */
const DRAG_PX = 6;

/** The rates of all coins over time, with panes below them. Dragging zooms; arrow keys move the cursor. */
export function DrawChart(props: DrawChartProps) {
  const { histories, series, paneSeries, edges, view, unit, paneKind, time, cursor, onCursor, onZoom, onOpen } = props;
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const panes = useMemo(() => panesOf(paneKind, histories, paneSeries), [paneKind, histories, paneSeries]);
  const plot = Math.max(1, size.width - edges.left - edges.right);
  const x = useMemo(() => linearScale([view.from, view.to], [edges.left, edges.left + plot]), [view, edges.left, plot]);
  const timeAt = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect();
    const share = (clientX - (box?.left ?? 0) - edges.left) / plot;
    return Math.round(view.from + Math.min(1, Math.max(0, share)) * (view.to - view.from));
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = timeAt(event.clientX);
    setDrag({ from: at, to: at });
  };
  const onPointerMove = (event: PointerEvent) => {
    const at = timeAt(event.clientX);
    onCursor(at, 'pointer');
    if (drag !== undefined) setDrag({ from: drag.from, to: at });
  };
  const onPointerUp = () => {
    if (drag === undefined) return;
    setDrag(undefined);
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    if (((to - from) / (view.to - view.from)) * plot < DRAG_PX) onOpen(drag.to);
    else {
      onZoom({ from, to });
      // The pointer is at another time now, and points at nothing until it moves.
      onCursor(undefined, 'pointer');
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moments = series.flatMap(({ times }) => times).toSorted((a, b) => a - b);
    const next = movedCursor(event.key, moments, cursor);
    if (event.key === 'Enter' && cursor !== undefined) onOpen(cursor);
    else if (event.key === 'Escape' && cursor !== undefined) onCursor(undefined, 'keyboard');
    else if (next !== undefined) onCursor(next, 'keyboard');
    else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a picture that is read off by pointer or arrows; the entries tab is its twin
    <div
      ref={frame}
      role="application"
      aria-label="Funding rate chart: the left and right arrow keys move the cursor, Enter opens the entry"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      data-arrows
      className="relative min-w-0 grow touch-pan-y select-none -outline-offset-2"
      style={{ minHeight: leastHeight(panes.length) }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
      onPointerLeave={() => {
        if (drag === undefined) onCursor(undefined, 'pointer');
      }}
      onKeyDown={onKeyDown}
    >
      {size.width > 0 && size.height > 0 && (
        <div className="absolute inset-0" data-chart aria-hidden>
          <DrawFrame width={size.width} height={size.height} {...{ edges, series, panes, view, x, unit, time }} />
        </div>
      )}
      {drag !== undefined && drag.from !== drag.to && (
        <div
          aria-hidden
          className="pointer-events-none absolute bg-accent opacity-20"
          style={{
            left: x(Math.min(drag.from, drag.to)),
            width: x(Math.max(drag.from, drag.to)) - x(Math.min(drag.from, drag.to)),
            top: TOP,
            bottom: BOTTOM,
          }}
        />
      )}
      {cursor !== undefined && cursor >= view.from && cursor <= view.to && (
        <div
          aria-hidden
          data-crosshair
          className="pointer-events-none absolute w-px bg-edge"
          style={{ left: x(cursor), top: TOP, bottom: BOTTOM }}
        />
      )}
    </div>
  );
}

/** The time that a key moves the cursor to, among the times of all entries, oldest first. */
function movedCursor(key: string, moments: readonly number[], cursor: number | undefined): number | undefined {
  const [first, last] = [moments[0], moments.at(-1)];
  switch (key) {
    case 'Home':
      return first;
    case 'End':
      return last;
    case 'ArrowLeft':
      return cursor === undefined ? last : (moments.findLast((moment) => moment < cursor) ?? first);
    case 'ArrowRight':
      return cursor === undefined ? first : (moments.find((moment) => moment > cursor) ?? last);
    default:
      return undefined;
  }
}
