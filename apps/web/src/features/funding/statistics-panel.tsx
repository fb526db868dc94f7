import { useMemo } from 'react';
import { useTime } from '../../hooks/use-time.ts';
import { percentText, wholeText } from '../../ui/format.ts';
import type { Entry, History } from './entries.ts';
import { COMPOUND_DECIMALS, rateIn, UNIT_TEXTS } from './rates.ts';
import type { Unit } from './search.ts';
import { SeriesMark } from './series-mark.tsx';
import { STATISTIC_DECIMALS, statisticsOf } from './statistics.ts';
import { signedPercent } from './texts.ts';

interface StatisticsPanelProps {
  readonly histories: readonly History[];
  readonly unit: Unit;
}

const HEAD = 'px-2 py-1 text-right font-normal whitespace-nowrap';
const CELL = 'num px-2 py-1 text-right text-12 whitespace-nowrap';

/** Mean, median, deviation, share and extremes of the rates in sight. */
export function StatisticsPanel({ histories, unit }: StatisticsPanelProps) {
  const rows = useMemo(() => histories.map((history) => ({ history, statistics: statisticsOf(history) })), [histories]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
    <section aria-label="Statistics" tabIndex={0} className="min-h-0 grow overflow-auto -outline-offset-2">
      <table className="w-full border-collapse">
        <thead className="sticky top-0 bg-surface-1 text-12 text-dim">
          <tr className="border-b border-line">
            <th scope="col" className="px-2 py-1 text-left font-normal">
              Coin
            </th>
            <th scope="col" className={HEAD}>
              Entries
            </th>
            <th scope="col" className={HEAD}>
              Mean
            </th>
            <th scope="col" className={HEAD}>
              Median
            </th>
            <th scope="col" className={HEAD}>
              Lowest
            </th>
            <th scope="col" className={HEAD}>
              Highest
            </th>
            <th scope="col" className={HEAD}>
              Deviation, per interval
            </th>
            <th scope="col" className={HEAD}>
              Above zero
            </th>
            <th scope="col" className={HEAD}>
              Sum
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ history, statistics }, at) => (
            <tr key={history.coin} className="border-b border-line" data-coin={history.coin}>
              <th scope="row" className="px-2 py-1 text-left font-normal whitespace-nowrap">
                <SeriesMark at={at} /> {history.coin}
              </th>
              {statistics === undefined ? (
                <td colSpan={8} className="px-2 py-1 text-dim">
                  no entry in sight
                </td>
              ) : (
                <>
                  <td className={CELL}>{wholeText(statistics.count)}</td>
                  <Rate history={history} unit={unit} rate={statistics.mean} />
                  <Rate history={history} unit={unit} rate={statistics.median} />
                  <Rate history={history} unit={unit} rate={statistics.lowest.fundingRate} entry={statistics.lowest} />
                  <Rate
                    history={history}
                    unit={unit}
                    rate={statistics.highest.fundingRate}
                    entry={statistics.highest}
                  />
                  <td className={CELL}>{percentText(statistics.deviation)}</td>
                  <td className={CELL}>
                    {percentText(statistics.share)} <span className="text-dim">({wholeText(statistics.positive)})</span>
                  </td>
                  <td className={CELL}>{signedPercent(statistics.sum)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="p-2 text-12 text-dim">
        Of the entries in sight, as {UNIT_TEXTS[unit].axis}: worked out from the rates per interval, then put into the
        unit. Median, extremes and sum are exact; mean and deviation have {STATISTIC_DECIMALS - 2} digits of percent
        {unit === 'compound' && `, compounded values ${COMPOUND_DECIMALS - 2}, all of them right`}. The deviation is
        that of all entries in sight, not of a sample.
      </p>
    </section>
  );
}

interface RateProps {
  readonly history: History;
  readonly unit: Unit;
  readonly rate: Entry['fundingRate'];
  /** When it was. */
  readonly entry?: Entry;
}

function Rate({ history, unit, rate, entry }: RateProps) {
  const time = useTime();
  const shown = useMemo(() => rateIn(unit, rate, history.completeness.interval), [unit, rate, history]);
  return (
    <td className={CELL} title={entry === undefined ? undefined : time.moment(entry.time)}>
      {shown === undefined ? <span className="text-dim">no interval measured</span> : signedPercent(shown)}
      {entry !== undefined && <span className="block text-11 text-dim">{time.second(entry.time)}</span>}
    </td>
  );
}
