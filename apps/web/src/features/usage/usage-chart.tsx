import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import type { Forecast } from '../../api/account-usage/forecast.ts';
import { useSize } from '../../hooks/use-size.ts';
import { LEFT, RIGHT } from '../../ui/chart/chart-parts.ts';
import { LegendEntry, type ShownSeries, useShownSeries } from '../../ui/chart/legend.tsx';
import { wholeText } from '../../ui/format.ts';
import { Loading } from '../../ui/page/states.tsx';
import {
  type BarSpan,
  barsOf,
  HATCH,
  type Plot,
  plotDays,
  plotMonths,
  SERIES,
  type SeriesName,
  type UsageBar,
  type UsageFacts,
} from './usage-plot.ts';

/** The days individually, or as running totals of their months. */
export type ChartKind = 'day' | 'month';

interface UsageChartProps {
  readonly facts: UsageFacts;
  readonly forecast: Forecast | undefined;
  readonly span: BarSpan;
  readonly chart: ChartKind;
}

const UsageBars = lazy(() => import('./usage-bars.tsx'));

/** A thin line with a thumb, because the chart matters more. */
const SLIDER =
  'h-4 appearance-none bg-transparent [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent [&::-moz-range-track]:h-px [&::-moz-range-track]:bg-edge [&::-webkit-slider-runnable-track]:h-px [&::-webkit-slider-runnable-track]:bg-edge [&::-webkit-slider-thumb]:-mt-1.5 [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent';

/** The days as stacked bars. The values under the pointer or the slider are shown as text above. */
export function UsageChart({ facts, forecast, span, chart }: UsageChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(frame);
  const [chosen, setChosen] = useState<number>();
  const shown = useShownSeries(Object.keys(SERIES));
  const { items, plot } = useMemo(() => {
    const items = barsOf(facts.days, chart === 'day' ? span : 'day');
    return { items, plot: chart === 'day' ? plotDays(items, facts) : plotMonths(items, facts, forecast) };
  }, [facts, forecast, span, chart]);
  const last = items.length - 1;
  const at = Math.min(chosen ?? last, last);
  const item = items[at];
  const step = Math.max(1, width - LEFT - RIGHT) / plot.rows.length;
  return (
    <>
      {item && <Readout item={item} chart={chart} today={facts.today} />}
      <Legend {...{ chart, plot, shown }} />
      <div className="min-w-0">
        <div
          ref={frame}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn as SVG inside
          role="img"
          aria-label={`Credits ${chart === 'day' ? `per ${span}` : 'of each month to date'}, ${facts.period.from} to ${facts.period.to}; the table has the numbers`}
          data-chart
          // A tall window has room for a higher chart.
          className="h-[max(300px,100dvh-960px)]"
        >
          {width > 0 && (
            <Suspense fallback={<Loading what="chart" />}>
              <UsageBars
                {...{ width, height, plot, items, at }}
                hidden={shown.hidden}
                onPoint={(slot) => setChosen(Math.min(last, slot))}
              />
            </Suspense>
          )}
        </div>
        {last > 0 && (
          <input
            type="range"
            aria-label={chart === 'day' ? `Bar of the chart (${span})` : 'Day of the chart'}
            aria-valuetext={item && readoutText(item, chart)}
            min={0}
            max={last}
            value={at}
            onChange={(event) => setChosen(event.target.valueAsNumber)}
            className={`block ${SLIDER}`}
            style={{ marginLeft: LEFT + step / 2 - 6, width: Math.max(40, step * last + 12) }}
          />
        )}
      </div>
    </>
  );
}

function readoutText({ from, to, premium, free, credits, last }: UsageBar, chart: ChartKind): string {
  const when = from === to ? from : `${from} to ${to}`;
  if (chart === 'day')
    return `${when}: ${wholeText(credits)} credits, ${wholeText(premium)} premium, ${wholeText(free)} free`;
  return last.month === undefined
    ? `${when}: the month began before the window`
    : `${when}: ${wholeText(last.month.credits)} credits in the month to date`;
}

interface ReadoutProps {
  readonly item: UsageBar;
  readonly chart: ChartKind;
  readonly today: string;
}

/** The numbers at the pointer. */
function Readout({ item, chart, today }: ReadoutProps) {
  const { from, to, last } = item;
  const shown = chart === 'day' ? item : last.month;
  const figures = shown && [
    [chart === 'day' ? 'credits' : 'month to date', shown.credits] as const,
    ['premium', shown.premium] as const,
    ['free', shown.free] as const,
  ];
  return (
    <p className="flex flex-wrap gap-x-3 text-12 text-dim" data-part="readout">
      <span className="num text-strong max-sm:w-full">
        {from}
        {from !== to && ` – ${to}`}
        {to === today && <span className="text-dim"> (today, in progress)</span>}
      </span>
      {figures?.map(([name, value]) => (
        <span key={name}>
          <span className="num text-text">{wholeText(value)}</span> {name}
        </span>
      )) ?? <span>its month began before the window</span>}
    </p>
  );
}

/** The name of a series. A line of the daily chart is the pace at which the month reaches the level exactly at its end. */
function seriesText(name: SeriesName, chart: ChartKind): string {
  if (name === 'premium' || name === 'free') return name;
  if (name === 'forecast') return 'forecast, 80 % band';
  const level = name === 'ceiling' ? 'ceiling' : 'ceiling + flex';
  return chart === 'day' ? `even pace to the ${level}` : level;
}

interface LegendProps {
  readonly chart: ChartKind;
  readonly plot: Plot;
  readonly shown: ShownSeries;
}

/** The series of the chart: each can be hidden, or shown alone. */
function Legend({ chart, plot: { rows, outside }, shown }: LegendProps) {
  const hasForecast = rows.some(({ likely }) => likely !== undefined);
  const series: readonly [SeriesName, { readonly colour: string; readonly dash?: string }][] = [
    ['premium', SERIES.premium],
    ['free', { colour: `url(#${HATCH})` }],
    ['ceiling', SERIES.ceiling],
    ['limit', SERIES.limit],
    ...(hasForecast ? [['forecast', SERIES.forecast] as [SeriesName, typeof SERIES.forecast]] : []),
  ];
  return (
    <ul className="flex flex-wrap gap-x-3 text-12 text-dim" aria-label="Legend">
      {series.map(([name, { colour, dash }]) => (
        <li key={name} className="whitespace-nowrap">
          <LegendEntry name={name} shown={shown}>
            <svg width={14} height={12} aria-hidden stroke={SERIES[name].colour}>
              {dash === undefined ? (
                <rect x={0.5} y={1.5} width={13} height={9} fill={colour} />
              ) : (
                <path d="M0 6H14" strokeWidth={1.5} strokeDasharray={dash} />
              )}
            </svg>
            {seriesText(name, chart)}
            {(name === 'ceiling' || name === 'limit') && outside[name] !== undefined && (
              <> {wholeText(Math.round(outside[name]))} ↑ above the chart</>
            )}
          </LegendEntry>
        </li>
      ))}
    </ul>
  );
}
