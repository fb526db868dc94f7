import type { ReactNode } from 'react';
import { wholeText } from '../../ui/format.ts';
import type { UsageBar } from './bars.ts';
import type { Plot } from './draw-plot.ts';

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

interface LegendProps {
  readonly chart: 'day' | 'month';
  /** Id of the pattern for free credits. */
  readonly hatch: string;
  readonly plot: Plot;
}

/** The style of each line. */
export const LINES = {
  ceiling: { look: 'stroke-stale', text: 'fill-stale', dash: '6 3' },
  limit: { look: 'stroke-ask', text: 'fill-ask', dash: '2 3' },
} as const;

/** The name of a line. In the daily chart it is the pace at which the month reaches the level exactly at its end. */
export function lineText(name: keyof typeof LINES, chart: 'day' | 'month'): string {
  const level = name === 'ceiling' ? 'ceiling' : 'ceiling + flex';
  return chart === 'day' ? `even pace to the ${level}` : level;
}

/** The legend: the style and name of each visible line. */
export function Legend({ chart, hatch, plot }: LegendProps) {
  return (
    <ul className="flex flex-wrap gap-x-3 text-12 text-dim" aria-label="Legend">
      <Entry text="premium">
        <path d="M0 1H14V11H0Z" className="fill-accent" />
      </Entry>
      <Entry text="free">
        <path d="M0.5 1.5H13.5V10.5H0.5Z" fill={`url(#${hatch})`} className="stroke-exact" />
      </Entry>
      {plot.lines
        .filter(({ isOutside }) => isOutside)
        .map(({ name }) => (
          <Entry key={name} text={`${lineText(name, chart)} (above the chart)`}>
            <path d="M0 6H14" className={LINES[name].look} strokeWidth={1.5} strokeDasharray={LINES[name].dash} />
          </Entry>
        ))}
      {plot.forecast !== undefined && (
        <Entry text="forecast, 80 % band">
          <path d="M0 1H14V11H0Z" className="fill-edge opacity-30" />
          <path d="M0 6H14" className="stroke-strong" strokeWidth={1.5} strokeDasharray="4 3" />
        </Entry>
      )}
    </ul>
  );
}

function Entry({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5 whitespace-nowrap">
      <svg width={14} height={12} aria-hidden>
        {children}
      </svg>
      {text}
    </li>
  );
}
