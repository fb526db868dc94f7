import { compare, divide } from '@l4desk/decimal';
import { coinDex, type DecimalString, type SessionCoins } from '@l4desk/protocol';
import { useState } from 'react';
import { useMedia } from '../../hooks/use-media.ts';
import { columnDecimals, decimalText, grouped, percentText } from '../../ui/format.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { sortedRows, unitsOf } from '../../ui/table/sorted-rows.ts';
import type { TableColumn, TableSort } from '../../ui/table/table-column.ts';
import { type Bucket, limitAt } from './buckets.ts';
import { sizeOf } from './how-much.tsx';
import type { Markets } from './use-markets.ts';

type Coin = SessionCoins['coins'][number];

interface CoinLimit extends Coin {
  readonly leverage: number;
  /** Undefined if no limit is listed. */
  readonly largest: DecimalString | undefined;
  /** What the position of such an order needs at this leverage, in USDC. */
  readonly margin: DecimalString | undefined;
  /** Undefined also without a mark. */
  readonly size: DecimalString | undefined;
  readonly mark: DecimalString | undefined;
  /** The largest market order as a fraction of the coin's volume of 24 hours; undefined also without a volume. */
  readonly ofVolume: DecimalString | undefined;
}

interface CoinLimitsProps {
  readonly coins: readonly Coin[];
  readonly buckets: readonly Bucket[];
  readonly markets: Markets;
  /** The leverage of coins that allow as much; undefined for each coin's maximum. */
  readonly leverage: number | undefined;
  readonly chosen: string | undefined;
  readonly onPick: (coin: string) => void;
}

/** The largest market order of every coin of the canonical dex: as a notional, as a size at its mark, and beside the day's volume. */
export function CoinLimits({ coins, buckets, markets, leverage, chosen, onPick }: CoinLimitsProps) {
  const isWide = useMedia('(min-width: 1100px)');
  const isVeryWide = useMedia('(min-width: 1440px)');
  const [sort, setSort] = useState<TableSort>();
  const listed = coins
    .filter(({ coin }) => coinDex(coin) === '')
    .map((coin): CoinLimit => {
      const own = Math.min(coin.maxLeverage, leverage ?? coin.maxLeverage);
      const limit = limitAt(buckets, own);
      const largest = limit.kind === 'bucket' ? limit.bucket.maxNotional : undefined;
      const margin = largest && divide(largest, String(own) as DecimalString, 2);
      const market = markets.of(coin.coin);
      const mark = market?.markPx;
      const size = largest && mark && sizeOf(largest, mark, coin.szDecimals);
      const ofVolume = largest && market && divide(largest, market.dayNtlVlm, 4);
      return { ...coin, leverage: own, largest, margin, size, mark, ofVolume };
    });
  const columns = columnsOf(listed, onPick, { isWide, isVeryWide }, markets.error === null ? '—' : '?');
  return (
    <DataTable
      name="Largest market order by coin"
      isShort
      columns={columns}
      rows={sortedRows(listed, columns, sort)}
      keyOf={({ coin }) => coin}
      selected={chosen}
      sort={sort}
      onSort={setSort}
    />
  );
}

function columnsOf(
  rows: readonly CoinLimit[],
  onPick: (coin: string) => void,
  { isWide, isVeryWide }: { readonly isWide: boolean; readonly isVeryWide: boolean },
  /** For what has no value: nothing is there, or the call failed. */
  unknown: string,
): readonly TableColumn<CoinLimit>[] {
  const decimals = columnDecimals(rows.flatMap(({ largest }) => largest ?? []));
  const amount = (
    id: 'mark' | 'size' | 'ofVolume',
    title: string,
    hint: string,
    text: (value: DecimalString) => string = grouped,
  ): TableColumn<CoinLimit> => ({
    id,
    title,
    hint,
    align: 'end',
    sortBy: ({ [id]: value }) => unitsOf(value),
    text: ({ [id]: value }) => (value === undefined ? unknown : text(value)),
  });
  return [
    {
      id: 'coin',
      title: 'Coin',
      sortBy: ({ coin }) => coin,
      cell: ({ coin }) => (
        <button
          type="button"
          className="h-6 min-w-6 text-left rounded-4 underline decoration-edge underline-offset-2 hover:text-strong"
          onClick={() => onPick(coin)}
        >
          {coin}
        </button>
      ),
    },
    {
      id: 'leverage',
      title: 'Leverage',
      align: 'end',
      sortBy: ({ leverage }) => leverage,
      text: ({ leverage }) => `${leverage}×`,
    },
    {
      id: 'largest',
      title: 'USD',
      align: 'end',
      sortBy: ({ largest }) => unitsOf(largest),
      text: ({ largest }) => (largest === undefined ? '—' : decimalText(largest, decimals)),
    },
    ...(isVeryWide
      ? [
          {
            id: 'margin',
            title: 'Margin, USDC',
            hint: 'The largest market order divided by the leverage, rounded to cents',
            align: 'end' as const,
            sortBy: ({ margin }: CoinLimit) => unitsOf(margin),
            text: ({ margin }: CoinLimit) => (margin === undefined ? '—' : decimalText(margin, 2)),
          },
        ]
      : []),
    amount('size', 'Size at its mark', 'The largest market order at the mark, rounded down to whole lots'),
    ...(isWide
      ? [
          amount('mark', 'Mark', 'Mark price, as reported'),
          amount(
            'ofVolume',
            'Of 24 h volume',
            'The largest market order as a share of the notional traded in the last 24 hours, rounded',
            volumeShare,
          ),
        ]
      : []),
  ];
}

/** A share above zero is never shown as zero. */
function volumeShare(fraction: DecimalString): string {
  return compare(fraction, '0.0001') < 0 ? '< 0.01 %' : percentText(fraction);
}
