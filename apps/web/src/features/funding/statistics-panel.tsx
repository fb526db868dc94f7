import { divide, formatUnits, roundTo, squareRoot, sum } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import { columnDecimals, percentText, signedPercent, wholeText } from '../../ui/format.ts';
import { type TimeTexts, useTime } from '../../ui/use-time.ts';
import { type CoinColumn, CoinTable } from './coin-table.tsx';
import { type Entry, type History, piecesOf } from './entries.ts';
import { COMPOUND_DECIMALS, rateIn, UNIT_TEXTS } from './rates.ts';
import type { Unit } from './search.ts';
import { unreportedText } from './texts.ts';

const RATES = ['mean', 'median', 'lowest', 'highest'] as const;

const RATE_TEXTS = { mean: 'Mean', median: 'Median', lowest: 'Lowest', highest: 'Highest' } as const;

type Rate = (typeof RATES)[number];

/** One coin with its rates in the unit; null if no interval could be measured. */
interface Row {
  readonly statistics: Statistics;
  readonly rates: Readonly<Record<Rate, DecimalString | null>>;
}

/** Mean, median, deviation, share and extremes of the rates in view. */
export function StatisticsPanel({ histories, unit }: { readonly histories: readonly History[]; readonly unit: Unit }) {
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

/** Shown decimals of the mean and the deviation, as fractions; two fewer as percent. */
export const STATISTIC_DECIMALS = 12;
/** Decimals of the mean before it is converted: a year multiplies its error by the number of intervals. */
const MEAN_DECIMALS = 24;
const SHARE_DECIMALS = 4;

type Statistics = NonNullable<ReturnType<typeof statisticsOf>>;

/** Statistics of one coin's rates in view, per interval, as fractions; sum and median are exact. Undefined if nothing is in view. */
export function statisticsOf({ counted, scale }: History) {
  const [first] = counted;
  if (first === undefined) return undefined;
  const count = counted.length;
  let sum = 0n;
  let squares = 0n;
  let positive = 0;
  let [lowest, highest] = [first, first];
  for (const entry of counted) {
    sum += entry.rate;
    squares += entry.rate * entry.rate;
    if (entry.rate > 0n) positive += 1;
    if (entry.rate < lowest.rate) lowest = entry;
    if (entry.rate > highest.rate) highest = entry;
  }
  const size = BigInt(count);
  const text = formatUnits(sum, scale);
  // n·Σx² − (Σx)² is n² times the variance: its root is taken before the only division.
  const spread = squareRoot(formatUnits(size * squares - sum * sum, 2 * scale), STATISTIC_DECIMALS + 8);
  return {
    count,
    sum: text,
    mean: quotient(text, count, MEAN_DECIMALS),
    median: median(
      counted.map(({ rate }) => rate),
      scale,
    ),
    deviation: quotient(spread ?? formatUnits(0, 0), count, STATISTIC_DECIMALS),
    positive,
    share: quotient(formatUnits(positive, 0), count, SHARE_DECIMALS),
    lowest,
    highest,
    /** Mean of the reported premiums, rounded half up to `STATISTIC_DECIMALS`; undefined if none is reported. */
    premium: premiumOf(counted, scale),
  };
}

/** The mean premium; leaves out premiums that are not reported. */
function premiumOf(entries: readonly Entry[], scale: number): DecimalString | undefined {
  const reported = entries.flatMap(({ premiumUnits }) => premiumUnits ?? []);
  if (reported.length === 0) return undefined;
  const sum = reported.reduce((total, units) => total + units, 0n);
  return quotient(formatUnits(sum, scale), reported.length, STATISTIC_DECIMALS);
}

/** `count` is never zero here. */
function quotient(text: DecimalString, count: number, decimals: number): DecimalString {
  return divide(text, formatUnits(count, 0), decimals) ?? text;
}

function median(rates: readonly bigint[], scale: number): DecimalString {
  const sorted = rates.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = sorted.length >> 1;
  const [low = 0n, high = 0n] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  // The midpoint of two values has one more decimal than they have.
  return formatUnits((low + high) * 5n, scale + 1);
}
