import { multiply } from '@l4desk/decimal';
import { type DecimalString, type InfoResponse, infoCredits } from '@l4desk/protocol';
import type { MetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { metaAndAssetCtxsQuery } from '../../api/metaAndAssetCtxs.ts';
import { dayChangeFraction, perpsOf } from '../../api/perps.ts';
import { predictedFundingsQuery } from '../../api/predictedFundings.ts';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import { useDueQueries, useRepeatOnce } from '../../api/use-due-queries.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { signColour } from '../../ui/class-names.ts';
import { columnDecimals, grouped, secondsText, signedPercent, wholeUnits } from '../../ui/format.ts';
import { Age, Empty, Failed, Loading, NotLoaded } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { sortedRows, unitsOf } from '../../ui/table/sorted-rows.ts';
import type { TableColumn, TableSort } from '../../ui/table/table-column.ts';
import { type TimeTexts, useTime } from '../../ui/use-time.ts';
import { HOUR_MS } from './interval.ts';
import { rateIn } from './rates.ts';
import { NOT_REPORTED } from './texts.ts';

const CREDITS = infoCredits('metaAndAssetCtxs') + infoCredits('predictedFundings');

const BY_RATE: TableSort = { column: 'rate', descending: true };

const QUERIES = [metaAndAssetCtxsQuery, predictedFundingsQuery];

interface CoinRow {
  readonly coin: string;
  /** Of the current hour. */
  readonly rate: DecimalString;
  readonly yearly: DecimalString;
  readonly premium: DecimalString | null | undefined;
  readonly markPx: DecimalString;
  /** Of the mark over 24 hours, as a fraction; undefined for a coin without a price then. */
  readonly change: DecimalString | undefined;
  readonly openInterest: DecimalString;
  /** The open interest at its mark, in USDC. */
  readonly notional: DecimalString;
  readonly volume: DecimalString;
  /** When it is funded next, ms; undefined if it is unknown. */
  readonly next: number | undefined;
}

interface RankedCoinsProps {
  readonly coins: readonly string[];
  readonly credits: number;
  readonly onAdd: (coin: string) => void;
}

/** All coins of the canonical dex by their rate of the current hour, and when it is applied. */
export function RankedCoins({ coins, credits, onAdd }: RankedCoinsProps) {
  const isAutoLoaded = useAutoLoadLimit() >= CREDITS;
  useRepeatOnce(useDueQueries(QUERIES, HOUR_MS), isAutoLoaded);
  const { data, dataUpdatedAt, isFetching, error, refetch } = useQuery({
    ...metaAndAssetCtxsQuery,
    enabled: isAutoLoaded,
  });
  const predicted = useQuery({ ...predictedFundingsQuery, enabled: isAutoLoaded, select: nextFundings });
  const time = useTime();
  const [sort, setSort] = useState<TableSort>();
  const next = predicted.data;
  const listed = useMemo(() => data && rowsOf(data, next), [data, next]);
  const columns = useMemo(() => columnsOf(listed ?? [], coins, time, next !== undefined), [listed, coins, time, next]);
  const rows = useMemo(() => listed && sortedRows(listed, columns, sort ?? BY_RATE), [listed, columns, sort]);
  const load = () => {
    void refetch({ cancelRefetch: false });
    void predicted.refetch({ cancelRefetch: false });
  };
  if (rows === undefined) {
    if (error !== null) return <Failed error={error} onRetry={load} credits={CREDITS} />;
    if (isFetching || isAutoLoaded) return <Loading what="rates of all coins" />;
    return (
      <NotLoaded action="Load all coins" credits={CREDITS} onLoad={load}>
        Every coin by its funding rate now.
      </NotLoaded>
    );
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 border-b border-line px-3 py-0.5 text-12">
        <NextFunding
          reported={earliestOf(next)}
          isLoading={predicted.isFetching}
          unknown={
            predicted.isError
              ? 'it could not be loaded'
              : next === undefined
                ? 'it is not loaded'
                : 'the exchange does not report it'
          }
        />
        <span className="text-dim">
          A click on a coin adds it to the chart for about <PriceTag credits={credits} />
        </span>
        <span className="ml-auto flex items-center gap-2">
          <Age at={dataUpdatedAt} staleAfterMs={HOUR_MS} />
          <Button look="plain" price={CREDITS} icon={RefreshCw} disabled={isFetching} onClick={load}>
            <span className="sr-only">Load all coins again</span>
          </Button>
        </span>
      </div>
      <DataTable
        name="All coins"
        columns={columns}
        rows={rows}
        keyOf={coinOf}
        sort={sort}
        onSort={setSort}
        onOpen={({ coin }) => {
          if (!coins.includes(coin)) onAdd(coin);
        }}
        empty={<Empty>The exchange lists no coins.</Empty>}
      />
    </>
  );
}

const coinOf = ({ coin }: CoinRow) => coin;

const earliestOf = (next: ReadonlyMap<string, number> | undefined) =>
  next === undefined || next.size === 0 ? undefined : Math.min(...next.values());

interface NextFundingProps {
  /** Ms; undefined if it is unknown. */
  readonly reported: number | undefined;
  readonly isLoading: boolean;
  readonly unknown: string;
}

/** When the next coins are funded; at the full hour if that is unknown. */
function NextFunding({ reported, isLoading, unknown }: NextFundingProps) {
  const now = useNow();
  const time = useTime();
  const at = reported ?? Math.floor(now / HOUR_MS + 1) * HOUR_MS;
  return (
    <span data-part="next-funding">
      Next funding {time.second(at).slice(11)},{' '}
      {at > now ? <>in {secondsText(at - now)}</> : 'which has passed: load again'}
      {reported === undefined && !isLoading && `, if hourly: ${unknown}`}
    </span>
  );
}

/** The exchange's own name among those whose fundings it predicts. */
const OWN = 'HlPerp';

/** When each perp is funded next, ms, as far as the exchange says. */
export function nextFundings(predicted: InfoResponse<'predictedFundings'>): ReadonlyMap<string, number> {
  return new Map(
    predicted.flatMap(([coin, exchanges]) => {
      const at = exchanges.find(([name]) => name === OWN)?.[1]?.['nextFundingTime'];
      return typeof at === 'number' ? [[coin, at] as const] : [];
    }),
  );
}

function rowsOf(response: MetaAndAssetCtxs, next: ReadonlyMap<string, number> | undefined): readonly CoinRow[] {
  return perpsOf(response)
    .filter(({ isDelisted }) => isDelisted !== true)
    .map(({ name, market }) => {
      const { funding, premium, markPx, openInterest, dayNtlVlm } = market;
      const change = dayChangeFraction(market);
      const yearly = rateIn('simple', funding, HOUR_MS) ?? funding;
      const figures = { rate: funding, yearly, premium, markPx, change, openInterest, volume: dayNtlVlm };
      const notional = multiply(openInterest, markPx);
      return { coin: name, ...figures, notional, next: next?.get(name) };
    });
}

function columnsOf(
  rows: readonly CoinRow[],
  coins: readonly string[],
  time: TimeTexts,
  isNextLoaded: boolean,
): readonly TableColumn<CoinRow>[] {
  const number = (
    id: Exclude<keyof CoinRow, 'coin' | 'next'>,
    title: string,
    hint: string,
    text: (value: DecimalString, decimals: number) => string,
  ): TableColumn<CoinRow> => {
    const decimals = columnDecimals(rows.flatMap((row) => row[id] ?? []));
    return {
      id,
      title,
      hint,
      width: 96,
      align: 'end',
      sortBy: (row) => unitsOf(row[id] ?? undefined),
      narrow: id === 'rate' || id === 'yearly',
      text: (row) => (row[id] ? text(row[id], decimals) : NOT_REPORTED),
    };
  };
  return [
    {
      id: 'coin',
      title: 'Coin',
      width: 120,
      fixed: true,
      sortBy: coinOf,
      narrow: true,
      copied: coinOf,
      cell: ({ coin }) => (coins.includes(coin) ? <strong className="text-strong">{coin}</strong> : coin),
    },
    number('rate', 'Rate', 'Of the current hour, in percent, with every digit kept', signedPercent),
    number('yearly', 'APR', 'Multiplied by the 8,760 hours of a year', signedPercent),
    {
      id: 'next',
      title: 'Next funding',
      hint: 'When the current rate is applied, as the exchange reports it',
      width: 112,
      align: 'end',
      text: ({ next }) =>
        next === undefined ? (isNextLoaded ? NOT_REPORTED : 'not loaded') : time.second(next).slice(11),
    },
    number('premium', 'Premium', 'Of the mark over the oracle price, as reported, in percent', signedPercent),
    number('markPx', 'Mark price', 'markPx, as reported', (value) => grouped(value)),
    {
      ...number('change', '24 h', 'The mark price against that of 24 hours ago', signedPercent),
      lookOf: ({ change }) => signColour(change && signedPercent(change)),
    },
    {
      ...number(
        'notional',
        'Open interest, USDC',
        'openInterest × markPx, in whole USDC; exact, and in coins, in the tooltips',
        wholeUnits,
      ),
      copied: ({ notional }) => notional,
      hintOf: ({ coin, notional, openInterest }) => `${grouped(notional)} USDC, ${grouped(openInterest)} ${coin}`,
    },
    {
      ...number('volume', 'Volume 24 h, USDC', 'Notional of a day, in whole USDC; exact in the tooltips', wholeUnits),
      copied: ({ volume }) => volume,
      hintOf: ({ volume }) => `${grouped(volume)} USDC`,
    },
  ];
}
