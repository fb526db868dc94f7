import { divide } from '@l4desk/decimal';
import { coinDex, type DecimalString, type SessionCoins } from '@l4desk/protocol';
import { useMedia } from '../../hooks/use-media.ts';
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
  /** What the position of such an order needs at this leverage, in USDC. */
  readonly margin: DecimalString | undefined;
  readonly mark: DecimalString | undefined;
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
  const isWide = useMedia('(min-width: 1100px)');
  const rows = coins
    .filter(({ coin }) => coinDex(coin) === '')
    .map((coin): CoinLimit => {
      const own = Math.min(coin.maxLeverage, leverage ?? coin.maxLeverage);
      const limit = limitAt(buckets, own);
      const largest = limit.kind === 'bucket' ? limit.bucket.maxNotional : undefined;
      const margin = largest && divide(largest, String(own) as DecimalString, 2);
      const mark = marks.of(coin.coin);
      const size = largest && mark && sizeOf(largest, mark, coin.szDecimals);
      return { ...coin, leverage: own, largest, margin, mark, size };
    });
  return (
    <DataTable
      name="Largest market order by coin"
      isShort
      columns={columnsOf(rows, onPick, isWide, marks.error === null ? '—' : '?')}
      rows={rows}
      keyOf={({ coin }) => coin}
      selected={chosen}
    />
  );
}

function columnsOf(
  rows: readonly CoinLimit[],
  onPick: (coin: string) => void,
  isWide: boolean,
  /** For what has no value: nothing is there, or the call failed. */
  unknown: string,
): readonly TableColumn<CoinLimit>[] {
  const decimals = columnDecimals(rows.flatMap(({ largest }) => largest ?? []));
  const amount = (id: 'margin' | 'mark' | 'size', title: string, hint: string): TableColumn<CoinLimit> => ({
    id,
    title,
    hint,
    align: 'end',
    text: ({ [id]: value }) => (value === undefined ? unknown : grouped(value)),
  });
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
    ...(isWide
      ? [
          amount('margin', 'Margin, USDC', 'The largest market order divided by the leverage'),
          amount('mark', 'Mark', 'Mark price, as reported'),
        ]
      : []),
    amount('size', 'Size at its mark', 'The largest market order at the mark, rounded down to whole lots'),
  ];
}
