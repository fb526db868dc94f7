import { memo, useMemo } from 'react';
import {
  CartesianGrid,
  ComposedChart,
  ReferenceLine,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts';
import type { TimeTexts } from '../../hooks/use-time.ts';
import { BOTTOM, type PlotEdges, stackedPlots, TOP } from './draw-layout.ts';
import { DrawLines, HALO } from './draw-lines.tsx';
import { type DrawnPane, DrawPanes } from './draw-panes.tsx';
import { type DrawnSeries, extentOf } from './draw-series.ts';
import { type TimeAxis, timeAxis, type ValueAxis, valueAxis } from './draw-ticks.ts';
import type { Window } from './entries.ts';
import { UNIT_TEXTS } from './rates.ts';
import type { Unit } from './search.ts';

interface DrawFrameProps {
  readonly width: number;
  readonly height: number;
  readonly edges: PlotEdges;
  readonly series: readonly DrawnSeries[];
  readonly panes: readonly DrawnPane[];
  readonly view: Window;
  readonly unit: Unit;
  readonly time: TimeTexts;
}

const TICK = { fill: 'var(--text-dim)', fontSize: 11, fontFamily: 'var(--font-mono)' } as const;

/** Px between two times under the axis, at least. */
const TIME_GAP = 90;

/** Axes, grid and lines of the rates, the panes below them, and the times of all; drawn anew only when what it shows changes. */
export const DrawFrame = memo(function DrawFrame(props: DrawFrameProps) {
  const { width, height, edges, series, panes, view, unit, time } = props;
  const axis = useMemo(() => valueAxis(extentOf(series)), [series]);
  const times = useMemo(
    () => timeAxis(view, time.zone, Math.max(2, Math.floor(width / TIME_GAP))),
    [view, time.zone, width],
  );
  const ends = useMemo(() => [{ time: view.from }, { time: view.to }], [view]);
  const rows = stackedPlots(height, panes.length);
  return (
    <ComposedChart
      width={width}
      height={height}
      data={ends}
      margin={{ top: TOP, right: edges.right, bottom: height - rows.rates.bottom, left: 0 }}
      accessibilityLayer={false}
    >
      <CartesianGrid stroke="var(--line)" vertical={false} yAxisId="rate" />
      <XAxis dataKey="time" type="number" domain={[view.from, view.to]} allowDataOverflow hide />
      <YAxis yAxisId="rate" {...axisProps(axis)} width={edges.left} />
      <Times times={times} height={height} />
      <ReferenceLine yAxisId="rate" y={0} stroke="var(--edge)" />
      <Rates series={series} />
      <DrawPanes panes={panes} rows={rows.panes} />
      <text x={edges.left + 4} y={TOP + 10} fontSize={11} fill="var(--text-dim)" {...HALO}>
        {UNIT_TEXTS[unit].axis}
      </text>
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

/** One time axis under the rates and all panes, with a line through them at each of its times. */
function Times({ times, height }: { readonly times: TimeAxis; readonly height: number }) {
  const x = useXAxisScale();
  const plot = usePlotArea();
  if (x === undefined || plot === undefined) return null;
  const floor = height - BOTTOM;
  return (
    <g data-times>
      <path data-plot d={`M${plot.x} ${floor}H${plot.x + plot.width}`} stroke="var(--line)" />
      {times.ticks.map((tick) => {
        const at = x(tick);
        // A tick outside of the scale: the chart has not heard of a new window yet.
        if (at === undefined) return null;
        return (
          <g key={tick}>
            <path d={`M${at} ${plot.y}V${floor}`} stroke="var(--line)" strokeOpacity={0.5} />
            <text x={at} y={floor + 16} textAnchor="middle" {...TICK}>
              {times.text(tick)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Rates({ series }: { readonly series: readonly DrawnSeries[] }) {
  const x = useXAxisScale();
  const y = useYAxisScale('rate');
  const plot = usePlotArea();
  if (x === undefined || y === undefined || plot === undefined) return null;
  return (
    <DrawLines
      name="rate"
      lines={series.map((drawn, at) => ({ at, drawn }))}
      left={plot.x}
      right={plot.x + plot.width}
      top={plot.y}
      bottom={plot.y + plot.height}
      x={(time) => x(time)}
      y={(value) => y(value)}
    />
  );
}
