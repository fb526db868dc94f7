import {
  type CSSProperties,
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useSize } from '../../hooks/use-size.ts';
import { BELOW, BELOW_OTHERS, LEFT, MARGIN, RIGHT } from '../../ui/chart/chart-parts.ts';
import { classNames } from '../../ui/class-names.ts';
import { signedPercent } from '../../ui/format.ts';
import { Loading } from '../../ui/page/states.tsx';
import { useTime } from '../../ui/use-time.ts';
import { SHORTEST_MS } from './brush.tsx';
import type { FundingChart } from './chart-rows.ts';
import { entryAt, type FundingPeriod } from './entries.ts';
import { isSame } from './loads.ts';
import { rateIn } from './rates.ts';
import { SeriesMark } from './series.tsx';

interface RateChartProps {
  readonly chart: FundingChart;
  readonly hidden: readonly string[];
  /** The cursor's time, ms, which lies in the view. */
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
/** The wheel zooms by this factor for each px that it scrolls. */
const ZOOM_PER_PX = 1.0015;
/** The view is written into the address once the wheel has rested for this long. */
const WHEEL_RESTS_MS = 200;

/** A drag from one time to another: over the whole period, or with Shift, it selects a part; else it moves the view. */
interface Drag {
  readonly kind: 'select' | 'pan';
  readonly from: number;
  readonly to: number;
}

/** The charts with one cursor. The wheel zooms, a drag selects or pans; arrow keys move the cursor. */
export function RateChart({ chart, hidden, cursor, isPointed, onCursor, onZoom, onOpen }: RateChartProps) {
  const { histories, period, paneKind } = chart;
  const time = useTime();
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useSize(frame);
  const [drag, setDrag] = useState<Drag>();
  const [moved, setMoved] = useState<{ readonly from: FundingPeriod; readonly to: FundingPeriod }>();
  const [domain, setDomain] = useState<readonly [low: number, high: number]>([0, 0]);
  const [pointed, setPointed] = useState({ top: 0, share: 0 });
  // A move ends with the view that it led to.
  const isMoving = moved !== undefined && moved.from === chart.view;
  const view = isMoving ? moved.to : chart.view;
  const drawn = useMemo(() => (isMoving ? { ...chart, view, histories: chart.whole } : chart), [isMoving, chart, view]);
  const plot = Math.max(1, width - LEFT - RIGHT);
  const x = (moment: number) => LEFT + ((moment - view.from) / (view.to - view.from)) * plot;
  const timeAt = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect();
    const share = (clientX - (box?.left ?? 0) - LEFT) / plot;
    return Math.round(view.from + Math.min(1, Math.max(0, share)) * (view.to - view.from));
  };
  const moveTo = (to: FundingPeriod) => {
    const next = within(period, to);
    setMoved(isSame(next, chart.view) ? undefined : { from: chart.view, to: next });
    onCursor(undefined, 'pointer');
  };
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const at = timeAt(event.clientX);
    const factor = ZOOM_PER_PX ** event.deltaY;
    const span = Math.min(period.to - period.from, Math.max(SHORTEST_MS, (view.to - view.from) * factor));
    const from = at - ((at - view.from) / (view.to - view.from)) * span;
    moveTo({ from: Math.round(from), to: Math.round(from + span) });
  });
  useEffect(() => {
    const chart = frame.current;
    // React's own listener is passive, so it could not keep the page from scrolling.
    chart?.addEventListener('wheel', onWheel, { passive: false });
    return () => chart?.removeEventListener('wheel', onWheel);
  }, []);
  const commit = () => {
    if (moved !== undefined) onZoom(moved.to);
  };
  const onRest = useEffectEvent(commit);
  const wheeled = isMoving && drag === undefined ? moved.to : undefined;
  useEffect(() => {
    if (wheeled === undefined) return undefined;
    const timer = setTimeout(() => onRest(), WHEEL_RESTS_MS);
    return () => clearTimeout(timer);
  }, [wheeled]);
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = timeAt(event.clientX);
    const isWhole = view.from <= period.from && view.to >= period.to;
    setDrag({ kind: isWhole || event.shiftKey ? 'select' : 'pan', from: at, to: at });
  };
  const onPointerMove = (event: PointerEvent) => {
    const at = timeAt(event.clientX);
    const rates = event.currentTarget.querySelector('[data-plot]')?.getBoundingClientRect();
    if (rates !== undefined) {
      const top = event.clientY - rates.top;
      const below = paneKind === undefined ? BELOW : BELOW_OTHERS.bottom;
      setPointed({ top, share: (top - MARGIN.top) / (rates.height - MARGIN.top - below) });
    }
    if (drag?.kind === 'pan') {
      const by = drag.from - at;
      if (isMoving || Math.abs(x(drag.from) - x(at)) >= DRAG_PX) moveTo({ from: view.from + by, to: view.to + by });
      return;
    }
    onCursor(at, 'pointer');
    if (drag !== undefined) setDrag({ ...drag, to: at });
  };
  const onPointerUp = () => {
    if (drag === undefined) return;
    setDrag(undefined);
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    if (isMoving) commit();
    else if (x(to) - x(from) < DRAG_PX) onOpen(drag.to);
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
  const { top, share } = pointed;
  const pointedValue =
    share < 0 || share > 1 ? undefined : tagText(domain[1] - share * (domain[1] - domain[0]), domain);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a picture that is read off by pointer or arrows; the entries tab is its twin
    <div
      ref={frame}
      role="application"
      aria-label="Funding rate chart: the left and right arrow keys move the cursor, Enter opens the entry"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      data-arrows
      className="relative flex min-w-0 grow touch-pan-y select-none"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
      onPointerLeave={() => {
        if (drag === undefined) onCursor(undefined, 'pointer');
      }}
      onKeyDown={onKeyDown}
    >
      <div
        className={classNames('grid min-w-0 grow', paneKind !== undefined && 'pb-[18px]')}
        data-chart
        aria-hidden
        style={{ gridTemplateRows: tracksOf(chart) }}
      >
        <Suspense fallback={<Loading what="chart" />}>
          <RateLines chart={drawn} {...{ width, hidden }} onDomain={setDomain} />
        </Suspense>
      </div>
      {drag?.kind === 'select' && drag.from !== drag.to && (
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
      {cursor !== undefined && (
        <>
          <div
            aria-hidden
            data-crosshair
            className="pointer-events-none absolute w-px bg-edge"
            style={{ left: x(cursor), top: MARGIN.top, bottom: BELOW }}
          />
          <AxisTag style={{ left: Math.min(x(cursor), width - 60), bottom: 2, transform: 'translateX(-50%)' }}>
            {time.second(cursor).slice(5, 16)}
          </AxisTag>
        </>
      )}
      {isPointed && pointedValue !== undefined && (
        <>
          <div
            aria-hidden
            className="pointer-events-none absolute h-px bg-edge"
            style={{ top, left: LEFT, right: RIGHT }}
          />
          <AxisTag style={{ top, right: width - LEFT, transform: 'translateY(-50%)' }}>{pointedValue}</AxisTag>
        </>
      )}
      {isPointed && drag === undefined && cursor !== undefined && (
        <div
          data-tooltip
          aria-hidden
          className="pointer-events-none absolute top-4 z-10"
          style={x(cursor) < width / 2 ? { left: x(cursor) + 10 } : { right: width - x(cursor) + 10 }}
        >
          <RatesAt moment={cursor} {...{ chart, hidden }} />
        </div>
      )}
    </div>
  );
}

function AxisTag({ style, children }: { readonly style: CSSProperties; readonly children: ReactNode }) {
  return (
    <span
      aria-hidden
      data-axis-tag
      className="num pointer-events-none absolute z-10 rounded-4 bg-surface-3 px-1 text-11 whitespace-nowrap text-strong"
      style={style}
    >
      {children}
    </span>
  );
}

/** The heights of the rates and, below them, of a heading and the panes: a single pane gets a larger share. */
function tracksOf({ paneKind, histories }: FundingChart): string {
  if (paneKind === undefined) return `minmax(${200 + BELOW}px, 1fr)`;
  const panes = paneKind === 'cumulative' ? 1 : histories.length;
  const least = panes === 1 ? 108 : 60;
  // In the proportion of their least heights, else those without room would be higher than they need to be.
  return `minmax(200px, 200fr) auto repeat(${panes}, minmax(${least}px, ${least}fr))`;
}

/** A value of an axis, as precise as a pixel of it. */
function tagText(value: number, [low, high]: readonly [low: number, high: number]): string {
  const digits = Math.max(0, Math.min(10, 2 - Math.floor(Math.log10(high - low || 1))));
  return value.toFixed(digits).replace('-', '−');
}

/** A view of the same length that lies within the period. */
function within(period: FundingPeriod, { from, to }: FundingPeriod): FundingPeriod {
  const by = Math.max(0, period.from - from) - Math.max(0, to - period.to);
  return { from: Math.max(period.from, from + by), to: Math.min(period.to, to + by) };
}

interface RatesAtProps extends Pick<RateChartProps, 'chart' | 'hidden'> {
  readonly moment: number;
}

function RatesAt({ moment, chart: { histories, unit }, hidden }: RatesAtProps) {
  const time = useTime();
  return (
    <div className="rounded-4 border border-edge bg-surface-1 px-2 py-1 text-12">
      <p className="num text-11 text-dim">{time.second(moment)}</p>
      {histories.map((history, at) => {
        if (hidden.includes(history.coin)) return null;
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
