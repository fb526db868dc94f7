import type { DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import { columnDecimals, percentText, wholeText } from '../../ui/format.ts';
import { useTime } from '../../ui/use-time.ts';
import type { Entry, History } from './entries.ts';
import { COMPOUND_DECIMALS, rateIn, UNIT_TEXTS } from './rates.ts';
import type { Unit } from './search.ts';
import { SeriesMark } from './series-mark.tsx';
import { STATISTIC_DECIMALS, type Statistics, statisticsOf } from './statistics.ts';
import { signedPercent, silenceText, unreportedText } from './texts.ts';

interface StatisticsPanelProps {
  readonly histories: readonly History[];
  readonly unit: Unit;
}

const HEAD = 'px-2 py-1 text-right font-normal whitespace-nowrap';
const CELL = 'num px-2 py-1 text-right text-12 whitespace-nowrap';

/** The rates that are put into the unit, in the order of their columns. */
const RATES = ['mean', 'median', 'lowest', 'highest'] as const;

const RATE_TEXTS = { mean: 'Mean', median: 'Median', lowest: 'Lowest', highest: 'Highest' } as const;

type Rate = (typeof RATES)[number];

/** One coin, its rates in the unit; null where no interval could be measured. */
interface Row {
  readonly statistics: Statistics;
  readonly rates: Readonly<Record<Rate, DecimalString | null>>;
}

/** Mean, median, deviation, share and extremes of the rates in view. */
export function StatisticsPanel({ histories, unit }: StatisticsPanelProps) {
  const time = useTime();
  const rows = useMemo(() => histories.map((history) => rowOf(history, unit)), [histories, unit]);
  const decimals = useMemo(() => {
    const of = (rate: Rate) => columnDecimals(rows.flatMap((row) => row?.rates[rate] ?? []));
    const sum = columnDecimals(rows.flatMap((row) => (row === undefined ? [] : [row.statistics.sum])));
    return { mean: of('mean'), median: of('median'), lowest: of('lowest'), highest: of('highest'), sum };
  }, [rows]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
    <section aria-label="Statistics" tabIndex={0} className="min-h-0 grow overflow-auto -outline-offset-2">
      <table className="w-full border-collapse">
        <thead className="sticky top-0 bg-surface-1 text-12 text-dim">
          <tr className="border-b border-line">
            <th scope="col" className="py-1 pr-2 pl-3 text-left font-normal">
              Coin
            </th>
            <th scope="col" className={HEAD}>
              Entries
            </th>
            {RATES.map((rate) => (
              <th key={rate} scope="col" className={HEAD}>
                {RATE_TEXTS[rate]}
              </th>
            ))}
            <th scope="col" className={HEAD}>
              Deviation, per interval
            </th>
            <th scope="col" className={HEAD}>
              Above zero
            </th>
            <th scope="col" className={HEAD}>
              Sum of rates
            </th>
            <th scope="col" className={HEAD}>
              Mean premium{' '}
            </th>
          </tr>
        </thead>
        <tbody>
          {histories.map((history, at) => {
            const { coin } = history;
            const row = rows[at];
            return (
              <tr key={coin} className="border-b border-line" data-coin={coin}>
                <th scope="row" className="py-1 pr-2 pl-3 text-left font-normal whitespace-nowrap">
                  <SeriesMark at={at} /> {coin}
                </th>
                {row === undefined ? (
                  <td colSpan={9} className="px-2 py-1 text-dim">
                    {silenceText(history) ?? 'no entries in view'}
                  </td>
                ) : (
                  <>
                    <td className={CELL}>{wholeText(row.statistics.count)}</td>
                    {RATES.map((rate) => (
                      <RateCell
                        key={rate}
                        rate={row.rates[rate]}
                        decimals={decimals[rate]}
                        at={
                          rate === 'lowest' || rate === 'highest' ? time.second(row.statistics[rate].time) : undefined
                        }
                      />
                    ))}
                    <td className={CELL}>{percentText(row.statistics.deviation)}</td>
                    <td className={CELL}>
                      {percentText(row.statistics.share)}{' '}
                      <span className="text-dim">({wholeText(row.statistics.positive)})</span>
                    </td>
                    <td className={CELL}>{signedPercent(row.statistics.sum, decimals.sum)}</td>
                    <PremiumCell premium={row.statistics.premium} note={unreportedText(history)} />
                  </>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="max-w-3xl px-3 py-2 text-12 text-dim">
        Covers the entries in view, as {UNIT_TEXTS[unit].axis}: computed from the rates per interval, then converted to
        the unit. Median, extremes and sum are exact; mean and deviation per interval have {STATISTIC_DECIMALS - 2}{' '}
        digits of percent{unit === 'compound' && `, compounded values ${COMPOUND_DECIMALS - 2}, all of them correct`}.
        The deviation is of all entries in view, not of a sample. The premium is per interval, with{' '}
        {STATISTIC_DECIMALS - 2} digits of percent; its mean excludes entries without a reported premium.
      </p>
    </section>
  );
}

function rowOf(history: History, unit: Unit): Row | undefined {
  const statistics = statisticsOf(history);
  if (statistics === undefined) return undefined;
  const put = (rate: Entry['fundingRate']) => rateIn(unit, rate, history.completeness.interval) ?? null;
  return {
    statistics,
    rates: {
      mean: put(statistics.mean),
      median: put(statistics.median),
      lowest: put(statistics.lowest.fundingRate),
      highest: put(statistics.highest.fundingRate),
    },
  };
}

interface PremiumCellProps {
  readonly premium: DecimalString | undefined;
  /** How many premiums are not in it. */
  readonly note: string;
}

function PremiumCell({ premium, note }: PremiumCellProps) {
  return (
    <td className={CELL}>
      {premium !== undefined && signedPercent(premium)}
      {note !== '' && <span className="block text-11 text-stale">{note}</span>}
    </td>
  );
}

interface RateCellProps {
  readonly rate: DecimalString | null;
  readonly decimals: number;
  /** When it was. */
  readonly at: string | undefined;
}

function RateCell({ rate, decimals, at }: RateCellProps) {
  return (
    <td className={CELL}>
      {rate === null ? <span className="text-dim">interval unknown</span> : signedPercent(rate, decimals)}
      {at !== undefined && <span className="block text-11 text-dim">{at}</span>}
    </td>
  );
}
