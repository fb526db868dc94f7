import { roundTo, sum } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import { columnDecimals, percentText, signedPercent, wholeText } from '../../ui/format.ts';
import { type TimeTexts, useTime } from '../../ui/use-time.ts';
import { type CoinColumn, CoinTable } from './coin-table.tsx';
import { type Entry, type History, piecesOf } from './entries.ts';
import { COMPOUND_DECIMALS, rateIn, UNIT_TEXTS } from './rates.ts';
import type { Unit } from './search.ts';
import { STATISTIC_DECIMALS, type Statistics, statisticsOf } from './statistics.ts';
import { unreportedText } from './texts.ts';

interface StatisticsPanelProps {
  readonly histories: readonly History[];
  readonly unit: Unit;
}

/** The rates that are converted to the unit, in the order of their columns. */
const RATES = ['mean', 'median', 'lowest', 'highest'] as const;

const RATE_TEXTS = { mean: 'Mean', median: 'Median', lowest: 'Lowest', highest: 'Highest' } as const;

type Rate = (typeof RATES)[number];

/** One coin with its rates in the unit; null if no interval could be measured. */
interface Row {
  readonly statistics: Statistics;
  readonly rates: Readonly<Record<Rate, DecimalString | null>>;
}

/** Mean, median, deviation, share and extremes of the rates in view. */
export function StatisticsPanel({ histories, unit }: StatisticsPanelProps) {
  const time = useTime();
  const parts = useMemo(() => histories.flatMap(piecesOf), [histories]);
  const rows = useMemo(() => parts.map((history) => rowOf(history, unit)), [parts, unit]);
  const decimals = useMemo(() => {
    const of = (rate: Rate) => columnDecimals(rows.flatMap((row) => row?.rates[rate] ?? []));
    const sum = columnDecimals(rows.flatMap((row) => (row === undefined ? [] : [row.statistics.sum])));
    return { mean: of('mean'), median: of('median'), lowest: of('lowest'), highest: of('highest'), sum };
  }, [rows]);
  return (
    <CoinTable name="Statistics" histories={parts} rows={rows} columns={columnsOf(decimals, time)}>
      Covers the entries in view, as {UNIT_TEXTS[unit].axis}: computed from the rates per interval, then converted to
      the unit. Median, extremes and sum are exact; mean and deviation have {STATISTIC_DECIMALS - 2} digits of percent
      {unit === 'compound' && `, compounded values ${COMPOUND_DECIMALS - 2}`}, all of them correct. The deviation is of
      all entries in view, not of a sample. The premium is per interval, with {STATISTIC_DECIMALS - 2} digits of
      percent; its mean excludes entries without a reported premium.
    </CoinTable>
  );
}

function columnsOf(decimals: Readonly<Record<Rate | 'sum', number>>, time: TimeTexts): readonly CoinColumn<Row>[] {
  return [
    { title: 'Entries', cell: ({ statistics }) => wholeText(statistics.count) },
    ...RATES.map((rate) => ({
      title: RATE_TEXTS[rate],
      cell: ({ rates, statistics }: Row) => (
        <>
          {rates[rate] === null ? (
            <span className="text-dim">interval unknown</span>
          ) : (
            signedPercent(rates[rate], decimals[rate])
          )}
          {(rate === 'lowest' || rate === 'highest') && (
            <span className="block text-11 text-dim">{time.second(statistics[rate].time)}</span>
          )}
        </>
      ),
    })),
    { title: 'Deviation, per interval', cell: ({ statistics }) => percentText(statistics.deviation) },
    {
      title: 'Above zero',
      cell: ({ statistics }) => (
        <>
          {percentText(statistics.share)} <span className="text-dim">({wholeText(statistics.positive)})</span>
        </>
      ),
    },
    { title: 'Sum of rates', cell: ({ statistics }) => signedPercent(statistics.sum, decimals.sum) },
    {
      title: 'Mean premium',
      cell: ({ statistics: { premium } }, history) => (
        <>
          {premium !== undefined && signedPercent(premium)}
          <span className="block text-11 text-stale">{unreportedText(history)}</span>
        </>
      ),
    },
  ];
}

function rowOf(history: History, unit: Unit): Row | undefined {
  const statistics = statisticsOf(history);
  if (statistics === undefined) return undefined;
  const put = (rate: Entry['fundingRate']) => rateIn(unit, rate, history.completeness.pieces[0]?.interval) ?? null;
  const mean = put(statistics.mean);
  return {
    statistics,
    rates: {
      // The sum of one value has no trailing zeros.
      mean: mean && sum([roundTo(mean, STATISTIC_DECIMALS)]),
      median: put(statistics.median),
      lowest: put(statistics.lowest.fundingRate),
      highest: put(statistics.highest.fundingRate),
    },
  };
}
