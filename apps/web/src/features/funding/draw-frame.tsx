import { memo, useMemo } from 'react';
import { linearScale, type Scale } from '../../ui/draw/scale.ts';
import { ValueAxis } from '../../ui/draw/value-axis.tsx';
import type { ChartView } from './chart-view.ts';
import { BOTTOM, type PlotEdges, stackedPlots, TOP } from './draw-layout.ts';
import { DrawLines, HALO } from './draw-lines.tsx';
import { type DrawnPane, DrawPane } from './draw-panes.tsx';
import { type DrawnSeries, extentOf } from './draw-series.ts';
import { timeAxis, valueAxis } from './draw-ticks.ts';
import { UNIT_TEXTS } from './rates.ts';

interface DrawFrameProps extends Omit<ChartView, 'paneKind'> {
  readonly width: number;
  readonly height: number;
  readonly edges: PlotEdges;
  readonly series: readonly DrawnSeries[];
  readonly panes: readonly DrawnPane[];
  /** Maps times to positions. */
  readonly x: Scale;
}

/** Minimum distance of two times under the axis, px. */
const TIME_GAP = 90;

/**
 * Axes, grid and lines of the rates, the panes below them, and the shared time axis. Rerenders only when what it shows changes.
 */
export const DrawFrame = memo(function DrawFrame(props: DrawFrameProps) {
  const { width, height, edges, series, panes, view, x, unit, time } = props;
  const axis = useMemo(() => valueAxis(extentOf(series)), [series]);
  const times = useMemo(
    () => timeAxis(view, time.zone, Math.max(2, Math.floor(width / TIME_GAP))),
    [view, time.zone, width],
  );
  const [left, right] = [edges.left, width - edges.right];
  const rows = stackedPlots(height, panes.length);
  const y = linearScale(axis.domain, [rows.rates.bottom, rows.rates.top]);
  const floor = height - BOTTOM;
  return (
    <svg width={width} height={height} className="block">
      <ValueAxis {...axis} {...{ left, right, y }} />
      {times.ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${x(tick)} ${TOP}V${floor}`} className="stroke-line" strokeOpacity={0.5} />
          <text x={x(tick)} y={floor + 16} textAnchor="middle" className="num fill-dim text-11">
            {times.text(tick)}
          </text>
        </g>
      ))}
      <path data-plot d={`M${left} ${floor}H${right}`} className="stroke-line" />
      <path d={`M${left} ${y(0)}H${right}`} className="stroke-edge" />
      <DrawLines
        name="rate"
        lines={series.map((drawn, at) => ({ at, drawn }))}
        {...rows.rates}
        {...{ left, right, x, y }}
      />
      {panes.map((pane, at) => {
        const row = rows.panes[at];
        return row && <DrawPane key={pane.key} {...row} {...{ pane, left, right, x }} />;
      })}
      <text x={left + 4} y={TOP + 10} className="fill-dim text-11" {...HALO}>
        {UNIT_TEXTS[unit].axis}
      </text>
    </svg>
  );
});
