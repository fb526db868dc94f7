import { type KeyboardEvent, lazy, type PointerEvent, Suspense, useRef, useState } from 'react';
import { useSize } from '../../hooks/use-size.ts';
import { BELOW, LEFT, MARGIN, RIGHT } from '../../ui/chart/chart-parts.ts';
import { Loading } from '../../ui/page/states.tsx';
import type { ChartView } from './chart-view.ts';
import { entryAt } from './cursor.ts';
import type { FundingPeriod, History } from './entries.ts';
import { leastHeight } from './rate-panes.ts';
import { rateIn } from './rates.ts';
import { SeriesMark } from './series-mark.tsx';
import { signedPercent } from './texts.ts';

interface RateChartProps extends ChartView {
  readonly histories: readonly History[];
  /** Coins that are not drawn. */
  readonly hidden: readonly string[];
  /** The cursor's time, ms. */
  readonly cursor: number | undefined;
  /** Whether the pointer moved the cursor there: then the rates are beside it. */
  readonly isPointed: boolean;
  readonly onCursor: (time: number | undefined, by: 'pointer' | 'keyboard') => void;
  readonly onZoom: (part: FundingPeriod) => void;
  readonly onOpen: (time: number) => void;
}

const RateLines = lazy(() => import('./rate-lines.tsx'));

/** A drag shorter than this is a click. */
const DRAG_PX = 6;

/** The charts with one cursor. Dragging zooms; arrow keys move the cursor. */
export function RateChart(props: RateChartProps) {
  const { histories, hidden, view, unit, paneKind, time, cursor, isPointed, onCursor, onZoom, onOpen } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(frame);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const plot = Math.max(1, width - LEFT - RIGHT);
  const x = (moment: number) => LEFT + ((moment - view.from) / (view.to - view.from)) * plot;
  const timeAt = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect();
    const share = (clientX - (box?.left ?? 0) - LEFT) / plot;
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
    const shown = histories.filter(({ coin }) => !hidden.includes(coin));
    const moments = shown.flatMap(({ entries }) => entries.map((entry) => entry.time)).toSorted((a, b) => a - b);
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
      className="relative min-w-0 grow touch-pan-y select-none"
      style={{ minHeight: leastHeight(paneKind, histories.length) }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
      onPointerLeave={() => {
        if (drag === undefined) onCursor(undefined, 'pointer');
      }}
      onKeyDown={onKeyDown}
    >
      {width > 0 && height > 0 && (
        <div className="absolute inset-0" data-chart aria-hidden>
          <Suspense fallback={<Loading what="chart" />}>
            <RateLines {...{ width, height, histories, hidden, view, unit, paneKind, time }} />
          </Suspense>
        </div>
      )}
      {drag !== undefined && drag.from !== drag.to && (
        <div
          aria-hidden
          className="pointer-events-none absolute bg-accent opacity-20"
          style={{
            left: x(Math.min(drag.from, drag.to)),
            width: x(Math.max(drag.from, drag.to)) - x(Math.min(drag.from, drag.to)),
            top: MARGIN.top,
            bottom: BELOW,
          }}
        />
      )}
      {cursor !== undefined && cursor >= view.from && cursor <= view.to && (
        <div
          aria-hidden
          data-crosshair
          className="pointer-events-none absolute w-px bg-edge"
          style={{ left: x(cursor), top: MARGIN.top, bottom: BELOW }}
        />
      )}
      {isPointed && drag === undefined && cursor !== undefined && (
        <div
          data-tooltip
          aria-hidden
          className="pointer-events-none absolute top-4 z-10"
          style={x(cursor) < width / 2 ? { left: x(cursor) + 10 } : { right: width - x(cursor) + 10 }}
        >
          <RatesAt moment={cursor} {...{ histories, hidden, unit, time }} />
        </div>
      )}
    </div>
  );
}

interface RatesAtProps extends Pick<RateChartProps, 'histories' | 'hidden' | 'unit' | 'time'> {
  readonly moment: number;
}

/** The rates that apply at a moment, with every digit. */
function RatesAt({ moment, unit, histories, hidden, time }: RatesAtProps) {
  const shown = histories
    .map((history, at) => ({ history, at }))
    .filter(({ history }) => !hidden.includes(history.coin));
  return (
    <div className="rounded-4 border border-edge bg-surface-1 px-2 py-1 text-12">
      <p className="num text-11 text-dim">{time.second(moment)}</p>
      {shown.map(({ history, at }) => {
        const entry = entryAt(history, moment);
        const rate = entry && rateIn(unit, entry.fundingRate, entry.interval);
        return (
          <p key={history.coin} className="flex items-center gap-2">
            <SeriesMark at={at} /> {history.coin}
            <span className="num ml-auto pl-3 text-strong">
              {rate === undefined ? 'no entry' : signedPercent(rate)}
            </span>
          </p>
        );
      })}
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
