import { coinDex, type DecimalString, type SessionCoins } from '@l4desk/protocol';
import { columnDecimals, decimalText, grouped } from '../../ui/format.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { type Bucket, limitAt } from './buckets.ts';
import { sizeOf } from './how-much.tsx';
import type { Marks } from './use-marks.ts';

type Coin = SessionCoins['coins'][number];

interface CoinLimit extends Coin {
  readonly leverage: number;
  /** Undefined if no limit is listed. */
  readonly largest: DecimalString | undefined;
  /** Undefined also without a mark. */
  readonly size: DecimalString | undefined;
}

interface CoinLimitsProps {
  readonly coins: readonly Coin[];
  readonly buckets: readonly Bucket[];
  readonly marks: Marks;
  /** The leverage of coins that allow as much; undefined for each coin's maximum. */
  readonly leverage: number | undefined;
  readonly chosen: string | undefined;
  readonly onPick: (coin: string) => void;
}

/** The largest market order of every coin of the canonical dex, as a notional and as a size at its mark. */
export function CoinLimits({ coins, buckets, marks, leverage, chosen, onPick }: CoinLimitsProps) {
  const rows = coins
    .filter(({ coin }) => coinDex(coin) === '')
    .map((coin): CoinLimit => {
      const own = Math.min(coin.maxLeverage, leverage ?? coin.maxLeverage);
      const limit = limitAt(buckets, own);
      const largest = limit.kind === 'bucket' ? limit.bucket.maxNotional : undefined;
      const px = marks.of(coin.coin);
      return { ...coin, leverage: own, largest, size: largest && px && sizeOf(largest, px, coin.szDecimals) };
    });
  return (
    <DataTable
      name="Largest market order by coin"
      isShort
      columns={columnsOf(rows, onPick)}
      rows={rows}
      keyOf={({ coin }) => coin}
      selected={chosen}
    />
  );
}

function columnsOf(rows: readonly CoinLimit[], onPick: (coin: string) => void): readonly TableColumn<CoinLimit>[] {
  const decimals = columnDecimals(rows.flatMap(({ largest }) => largest ?? []));
  return [
    {
      id: 'coin',
      title: 'Coin',
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
    { id: 'leverage', title: 'Leverage', align: 'end', text: (row) => `${row.leverage}×` },
    {
      id: 'largest',
      title: 'USD',
      align: 'end',
      text: ({ largest }) => (largest === undefined ? '—' : decimalText(largest, decimals)),
    },
    {
      id: 'size',
      title: 'Size at its mark',
      align: 'end',
      text: ({ size }) => (size === undefined ? '—' : grouped(size)),
    },
  ];
}
