import { Area, Bar, CartesianGrid, ComposedChart, Line, ReferenceLine, XAxis, YAxis } from 'recharts';
import { GRID, LINE, MARGIN, STILL, valueTicks, X_AXIS, Y_AXIS } from '../../ui/chart/chart-parts.ts';
import { HATCH, type Plot, SERIES, type SeriesName, type UsageBar } from './usage-plot.ts';

interface UsageBarsProps {
  readonly width: number;
  readonly height: number;
  readonly plot: Plot;
  readonly items: readonly UsageBar[];
  readonly at: number;
  readonly hidden: readonly string[];
  readonly onPoint: (slot: number) => void;
}

const DATE_WIDTH = 104;

/** On the first days of a month the bars would fill the chart. */
const WIDEST_BAR = 64;

/** Free credits below, because they are used first, premium credits above, with the lines and the forecast over them. */
export default function UsageBars({ width, height, plot: { rows }, items, at, hidden, onPoint }: UsageBarsProps) {
  const tops = rows.flatMap(({ premium = 0, free = 0, ceiling = 0, limit = 0, band }) => [
    premium + free,
    ceiling,
    limit,
    band?.[1] ?? 0,
  ]);
  const axis = valueTicks(tops, 5, 1);
  const every = Math.max(1, Math.ceil((DATE_WIDTH * rows.length) / Math.max(DATE_WIDTH, width)));
  const isHidden = (name: SeriesName) => hidden.includes(name);
  return (
    <ComposedChart
      {...{ width, height }}
      data={[...rows]}
      margin={MARGIN}
      barCategoryGap={rows.length > 150 ? 0 : 1}
      maxBarSize={WIDEST_BAR}
      accessibilityLayer={false}
      onMouseMove={({ activeTooltipIndex }) => {
        // Undefined beside the plot.
        const slot = Number.parseInt(String(activeTooltipIndex), 10);
        if (Number.isInteger(slot)) onPoint(slot);
      }}
    >
      <defs>
        <pattern id={HATCH} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0H4V2H0Z" fill={SERIES.free.colour} />
        </pattern>
      </defs>
      <CartesianGrid {...GRID} vertical={false} />
      <XAxis
        {...X_AXIS}
        dataKey="slot"
        ticks={items.map((_, slot) => slot).filter((slot) => slot % every === 0)}
        tickFormatter={(slot: number) => dateUnder(items[slot]?.from ?? '', items[slot - every]?.from)}
        interval="preserveStart"
      />
      <YAxis {...Y_AXIS} {...axis} domain={[...axis.domain]} />
      <Bar {...STILL} dataKey="free" stackId="used" fill={`url(#${HATCH})`} hide={isHidden('free')} />
      <Bar {...STILL} dataKey="premium" stackId="used" fill={SERIES.premium.colour} hide={isHidden('premium')} />
      <Area
        {...STILL}
        activeDot={false}
        dataKey="band"
        type="linear"
        stroke="none"
        fill="var(--edge)"
        fillOpacity={0.3}
        hide={isHidden('forecast')}
      />
      <Line
        {...LINE}
        dataKey="likely"
        type="linear"
        stroke={SERIES.forecast.colour}
        strokeDasharray={SERIES.forecast.dash}
        hide={isHidden('forecast')}
      />
      {(['ceiling', 'limit'] as const).map((name) => (
        <Line
          key={name}
          {...LINE}
          dataKey={name}
          type="step"
          stroke={SERIES[name].colour}
          strokeDasharray={SERIES[name].dash}
          hide={isHidden(name)}
        />
      ))}
      <ReferenceLine x={at} stroke="var(--text-strong)" strokeOpacity={0.5} strokeDasharray="1 2" />
    </ComposedChart>
  );
}

/** A date, without the year if the date before it has the same one. */
function dateUnder(day: string, before: string | undefined): string {
  return before?.slice(0, 4) === day.slice(0, 4) ? day.slice(5) : day;
}
