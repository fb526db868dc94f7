import { LegendEntry, type ShownSeries } from '../../ui/chart/legend.tsx';
import { wholeText } from '../../ui/format.ts';
import type { UsageBar } from './bars.ts';
import type { Plot } from './usage-plot.ts';

interface ReadoutProps {
  readonly item: UsageBar;
  readonly chart: 'day' | 'month';
  readonly today: string;
}

/** The numbers at the pointer. */
export function Readout({ item, chart, today }: ReadoutProps) {
  const { from, to, last } = item;
  const shown = chart === 'day' ? item : last.month;
  return (
    <p className="flex flex-wrap gap-x-3 text-12" data-part="readout">
      <span className="num text-strong max-sm:w-full">
        {from}
        {from !== to && ` – ${to}`}
        {to === today && <span className="text-dim"> (today, in progress)</span>}
      </span>
      {shown === undefined ? (
        <span className="text-dim">its month began before the window</span>
      ) : (
        <>
          <Figure name={chart === 'day' ? 'credits' : 'month to date'} value={shown.credits} />
          <Figure name="premium" value={shown.premium} />
          <Figure name="free" value={shown.free} />
        </>
      )}
    </p>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <span>
      <span className="num text-text">{wholeText(value)}</span> <span className="text-dim">{name}</span>
    </span>
  );
}

/** The series of the chart, with their colours and dashes. */
export const SERIES = {
  premium: { colour: 'var(--accent)' },
  free: { colour: 'var(--exact)' },
  ceiling: { colour: 'var(--stale)', dash: '6 3' },
  limit: { colour: 'var(--ask)', dash: '2 3' },
  forecast: { colour: 'var(--text-strong)', dash: '4 3' },
} as const;

export type SeriesName = keyof typeof SERIES;

/** The name of a series. A line of the daily chart is the pace at which the month reaches the level exactly at its end. */
function seriesText(name: SeriesName, chart: 'day' | 'month'): string {
  if (name === 'premium' || name === 'free') return name;
  if (name === 'forecast') return 'forecast, 80 % band';
  const level = name === 'ceiling' ? 'ceiling' : 'ceiling + flex';
  return chart === 'day' ? `even pace to the ${level}` : level;
}

interface LegendProps {
  readonly chart: 'day' | 'month';
  /** Id of the pattern for free credits. */
  readonly hatch: string;
  readonly plot: Plot;
  readonly shown: ShownSeries;
}

/** The series of the chart: each can be hidden, or shown alone. */
export function Legend({ chart, hatch, plot, shown }: LegendProps) {
  const names: readonly SeriesName[] = [
    'premium',
    'free',
    ...plot.lines.map(({ name }) => name),
    ...(plot.forecast === undefined ? [] : (['forecast'] as const)),
  ];
  const isOutside = (name: SeriesName) => plot.lines.some((line) => line.name === name && line.isOutside);
  return (
    <ul className="flex flex-wrap gap-x-3 text-12 text-dim" aria-label="Legend">
      {names.map((name) => {
        const series: { readonly colour: string; readonly dash?: string } = SERIES[name];
        return (
          <li key={name} className="whitespace-nowrap">
            <LegendEntry name={name} shown={shown}>
              <svg width={14} height={12} aria-hidden>
                {series.dash === undefined ? (
                  <rect
                    x={0.5}
                    y={1.5}
                    width={13}
                    height={9}
                    stroke={series.colour}
                    fill={name === 'free' ? `url(#${hatch})` : series.colour}
                  />
                ) : (
                  <path d="M0 6H14" stroke={series.colour} strokeWidth={1.5} strokeDasharray={series.dash} />
                )}
              </svg>
              {seriesText(name, chart)}
              {isOutside(name) && ' (above the chart)'}
            </LegendEntry>
          </li>
        );
      })}
    </ul>
  );
}
