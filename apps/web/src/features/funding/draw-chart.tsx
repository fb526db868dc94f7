import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import {
  CartesianGrid,
  ComposedChart,
  ReferenceArea,
  ReferenceLine,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts';
import type { TimeTexts } from '../../hooks/use-time.ts';
import { type DrawnSeries, drawEnds, drawLetters, drawOverlay, drawRates, extentOf, pathOf } from './draw-series.ts';
import { timeAxis, type ValueAxis, valueAxis } from './draw-ticks.ts';
import type { History, Window } from './entries.ts';
import { UNIT_TEXTS } from './rates.ts';
import type { Overlay, Unit } from './search.ts';
import { lookOf } from './series.ts';

interface DrawChartProps {
  readonly histories: readonly History[];
  readonly view: Window;
  readonly unit: Unit;
  readonly overlay: Overlay | undefined;
  readonly time: TimeTexts;
  /** The moment that is read off, ms. */
  readonly cursor: number | undefined;
  readonly onCursor: (time: number | undefined, by: 'pointer' | 'keyboard') => void;
  readonly onZoom: (part: Window) => void;
  readonly onOpen: (time: number) => void;
}

const LEFT = 64;
const RIGHT = 16;
/** Of one more letter beside another, where lines end alike. */
const LETTER = 8;
const RIGHT_AXIS = 64;
const TOP = 12;
const BOTTOM = 24;
/** A drag shorter than this is a press. */
const DRAG_PX = 6;

/** The rates of all coins over time; drag to zoom, arrows to read off. */
export function DrawChart(props: DrawChartProps) {
  const { histories, view, unit, overlay, time, cursor, onCursor, onZoom, onOpen } = props;
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const series = useMemo(() => histories.map((history) => drawRates(history, unit)), [histories, unit]);
  const overlays = useMemo(
    () => (overlay === undefined ? [] : histories.map((history) => drawOverlay(history, overlay))),
    [histories, overlay],
  );
  const beside = Math.max(1, ...drawEnds(series).map(({ length }) => length)) - 1;
  const right = overlay === undefined ? RIGHT + beside * LETTER : RIGHT_AXIS;
  const plot = Math.max(1, size.width - LEFT - right);
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
    else onZoom({ from, to });
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
      aria-label="Chart of funding rates: left and right arrows read it off, Enter opens the entry"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      data-arrows
      className="relative min-h-64 min-w-0 grow touch-pan-y select-none -outline-offset-2"
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
          <Frame
            {...{ width: size.width, height: size.height, right, series, overlays, view, unit, overlay, time }}
            drag={drag}
          />
        </div>
      )}
      {cursor !== undefined && cursor >= view.from && cursor <= view.to && (
        <div
          aria-hidden
          className="pointer-events-none absolute w-px bg-edge"
          style={{ left: LEFT + ((cursor - view.from) / (view.to - view.from)) * plot, top: TOP, bottom: BOTTOM }}
        />
      )}
    </div>
  );
}

interface FrameProps extends Pick<DrawChartProps, 'view' | 'unit' | 'overlay' | 'time'> {
  readonly width: number;
  readonly height: number;
  readonly right: number;
  readonly series: readonly DrawnSeries[];
  readonly overlays: readonly DrawnSeries[];
  readonly drag: Window | undefined;
}

const TICK = { fill: 'var(--text-dim)', fontSize: 11, fontFamily: 'var(--font-mono)' } as const;

/** Words stay readable where a line runs behind them. */
const HALO = { stroke: 'var(--surface-0)', strokeWidth: 3, paintOrder: 'stroke' } as const;

/** Axes and grid, and the lines on them; drawn anew only when what it shows changes. */
const Frame = memo(function Frame({
  width,
  height,
  right,
  series,
  overlays,
  view,
  unit,
  overlay,
  time,
  drag,
}: FrameProps) {
  const axis = useMemo(() => valueAxis(extentOf(series)), [series]);
  const rightAxis = useMemo(() => valueAxis(extentOf(overlays)), [overlays]);
  const below = useMemo(() => timeAxis(view, time.zone, Math.max(2, Math.floor(width / 90))), [view, time.zone, width]);
  const ends = useMemo(() => [{ time: view.from }, { time: view.to }], [view]);
  return (
    <ComposedChart
      width={width}
      height={height}
      data={ends}
      margin={{ top: TOP, right: overlay === undefined ? right : 0, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <CartesianGrid stroke="var(--line)" vertical={false} yAxisId="rate" />
      <XAxis
        dataKey="time"
        type="number"
        domain={[view.from, view.to]}
        allowDataOverflow
        height={BOTTOM}
        ticks={below.ticks}
        tickFormatter={below.text}
        tick={TICK}
        stroke="var(--line)"
        interval={0}
      />
      <YAxis yAxisId="rate" {...axisProps(axis)} width={LEFT} />
      {overlay !== undefined && (
        <YAxis yAxisId="overlay" orientation="right" {...axisProps(rightAxis)} width={RIGHT_AXIS} />
      )}
      <ReferenceLine yAxisId="rate" y={0} stroke="var(--edge)" />
      {overlay !== undefined && <Lines axis="overlay" series={overlays} thin />}
      <Lines axis="rate" series={series} inside={overlay !== undefined} />
      {drag !== undefined && drag.from !== drag.to && (
        <ReferenceArea
          yAxisId="rate"
          x1={Math.min(drag.from, drag.to)}
          x2={Math.max(drag.from, drag.to)}
          fill="var(--accent)"
          fillOpacity={0.2}
        />
      )}
      <text x={LEFT + 4} y={TOP + 10} fontSize={11} fill="var(--text-dim)" {...HALO}>
        {UNIT_TEXTS[unit].axis}
      </text>
      {overlay !== undefined && (
        <text x={width - RIGHT_AXIS - 4} y={TOP + 10} fontSize={11} fill="var(--text-dim)" textAnchor="end" {...HALO}>
          {overlay === 'premium' ? 'thin: premium, %' : 'thin: cumulative, %'}
        </text>
      )}
    </ComposedChart>
  );
});

function axisProps({ domain, ticks, text }: ValueAxis) {
  return {
    type: 'number',
    domain: [...domain],
    ticks: [...ticks],
    tickFormatter: text,
    tick: TICK,
    stroke: 'var(--line)',
    interval: 0,
    allowDataOverflow: true,
  } as const;
}

interface LinesProps {
  readonly axis: 'rate' | 'overlay';
  readonly series: readonly DrawnSeries[];
  readonly thin?: boolean;
  /** The letters stand inside the plot: there is an axis at its right. */
  readonly inside?: boolean;
}

/**
 * One path a coin, with its letter at the end; lines that end alike have their letters side by side. Recharts' own line
 * keeps an object a point and joins rows of several coins by time; a path of our own breaks at gaps of any interval, and
 * years of eight coins stay quick.
 */
function Lines({ axis, series, thin = false, inside = false }: LinesProps) {
  const x = useXAxisScale();
  const y = useYAxisScale(axis);
  const plot = usePlotArea();
  if (x === undefined || y === undefined || plot === undefined) return null;
  const toX = (value: number) => x(value);
  const toY = (value: number) => y(value);
  const ends = thin ? [] : drawEnds(series);
  const heights = ends.map(([first]) => y(series[first]?.values.at(-1) ?? 0));
  const letters = drawLetters(heights, plot.y + 4, plot.y + plot.height - 2);
  return (
    <g data-lines={axis}>
      {series.map((drawn, at) => {
        const { colour, dash, letter } = lookOf(at);
        return (
          <path
            key={letter}
            data-series={letter}
            d={pathOf(drawn, toX, toY, plot.x)}
            fill="none"
            stroke={colour}
            strokeWidth={thin ? 1 : at === 0 ? 2 : 1.5}
            strokeOpacity={thin ? 0.75 : 1}
            strokeDasharray={dash}
            strokeLinejoin="round"
          />
        );
      })}
      {ends.map((group, rank) => {
        const letterY = letters[rank];
        const end = x(series[group[0]]?.times.at(-1) ?? 0) ?? 0;
        return (
          letterY !== undefined && (
            <text
              key={group[0]}
              x={Math.min(end + 3, plot.x + plot.width + (inside ? -1 - LETTER * group.length : 3))}
              y={letterY + 4}
              fontSize={11}
              fontWeight={600}
              {...HALO}
            >
              {group.map((at) => (
                <tspan key={at} fill={lookOf(at).colour}>
                  {lookOf(at).letter}
                </tspan>
              ))}
            </text>
          )
        );
      })}
    </g>
  );
}

/** Where an arrow leads from the cursor among the moments of all entries, oldest first. */
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

function useSize(frame: { readonly current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      setSize({ width: Math.floor(entry.contentRect.width), height: Math.floor(entry.contentRect.height) });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}
