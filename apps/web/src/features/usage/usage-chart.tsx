import { lazy, Suspense, useId, useMemo, useRef, useState } from 'react';
import { type Forecast } from '../../api/account-usage/forecast.ts';
import { useSize } from '../../hooks/use-size.ts';
import { LEFT, RIGHT } from '../../ui/chart/chart-parts.ts';
import { useShownSeries } from '../../ui/chart/legend.tsx';
import { wholeText } from '../../ui/format.ts';
import { Loading } from '../../ui/page/states.tsx';
import { type BarSpan, barsOf, type UsageBar } from './bars.ts';
import { type UsageFacts } from './usage-facts.ts';
import { placeDays, placeMonths } from './usage-plot.ts';
import { Legend, Readout, SERIES } from './usage-words.tsx';

interface UsageChartProps {
  readonly facts: UsageFacts;
  /** The forecast of the current month, once known. */
  readonly forecast: Forecast | undefined;
  /** The bars of the daily chart. */
  readonly bars: readonly UsageBar[];
  readonly span: BarSpan;
  readonly chart: 'day' | 'month';
}

const UsageBars = lazy(() => import('./usage-bars.tsx'));

const HEIGHT = 270;

/** A thin line with a thumb, because the chart matters more. */
const SLIDER =
  'h-4 appearance-none bg-transparent [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent [&::-moz-range-track]:h-px [&::-moz-range-track]:bg-edge [&::-webkit-slider-runnable-track]:h-px [&::-webkit-slider-runnable-track]:bg-edge [&::-webkit-slider-thumb]:-mt-1.5 [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent';

/**
 * The days as stacked bars, or as running totals of their months. The values under the pointer or slider are shown as text
 * above.
 */
export function UsageChart({ facts, forecast, bars, span, chart }: UsageChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useSize(frame);
  const hatch = useId();
  const [chosen, setChosen] = useState<number>();
  const shown = useShownSeries(Object.keys(SERIES));
  const items = useMemo(() => (chart === 'day' ? bars : barsOf(facts.days, 'day')), [chart, bars, facts.days]);
  const plot = useMemo(
    () => (chart === 'day' ? placeDays(bars, facts) : placeMonths(items, facts, forecast)),
    [chart, bars, items, facts, forecast],
  );
  const last = items.length - 1;
  const at = Math.min(chosen ?? last, last);
  const item = items[at];
  const step = Math.max(1, width - LEFT - RIGHT) / plot.slots;
  const words = item === undefined ? '' : wordsOf(item, chart);
  return (
    <>
      {item && <Readout item={item} chart={chart} today={facts.today} />}
      <Legend {...{ chart, hatch, plot, shown }} />
      <div ref={frame} className="min-w-0">
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn as SVG inside
          role="img"
          aria-label={`Credits ${chart === 'day' ? `per ${span}` : 'of each month to date'}, ${facts.period.from} to ${facts.period.to}; the table has the numbers`}
          data-chart
          style={{ height: HEIGHT }}
        >
          {width > 0 && (
            <Suspense fallback={<Loading what="chart" />}>
              <UsageBars
                {...{ width, plot, items, hatch, at }}
                height={HEIGHT}
                hidden={shown.hidden}
                onPoint={(slot) => setChosen(Math.min(last, slot))}
              />
            </Suspense>
          )}
        </div>
        {items.length > 1 && (
          <input
            type="range"
            aria-label={chart === 'day' ? `Bar of the chart (${span})` : 'Day of the chart'}
            aria-valuetext={words}
            min={0}
            max={last}
            value={at}
            onChange={(event) => setChosen(event.target.valueAsNumber)}
            className={`block ${SLIDER}`}
            style={{ marginLeft: LEFT + step / 2 - 6, width: Math.max(40, step * (items.length - 1) + 12) }}
          />
        )}
      </div>
    </>
  );
}

/** The slider's accessible text. */
function wordsOf({ from, to, premium, free, credits, last }: UsageBar, chart: 'day' | 'month'): string {
  const when = from === to ? from : `${from} to ${to}`;
  if (chart === 'day')
    return `${when}: ${wholeText(credits)} credits, ${wholeText(premium)} premium, ${wholeText(free)} free`;
  return last.month === undefined
    ? `${when}: the month began before the window`
    : `${when}: ${wholeText(last.month.credits)} credits in the month to date`;
}
