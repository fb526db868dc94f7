import { coinDex, type DecimalString, infoCredits, type SessionCoins } from '@l4desk/protocol';
import { Button } from '../../ui/button.tsx';
import { columnDecimals, decimalText, grouped } from '../../ui/format.ts';
import { Age } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { type Bucket, limitAt } from './buckets.ts';
import { sizeOf, useMarks } from './how-much.tsx';

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
  /** The leverage of coins that allow as much; undefined for each coin's maximum. */
  readonly leverage: number | undefined;
  readonly chosen: string | undefined;
  readonly onPick: (coin: string) => void;
}

/** The largest market order of every coin of the canonical dex, as a notional and as a size at its mark. */
export function CoinLimits({ coins, buckets, leverage, chosen, onPick }: CoinLimitsProps) {
  const { markets, marks } = useMarks('', false);
  const rows = coins
    .filter(({ coin }) => coinDex(coin) === '')
    .map((coin): CoinLimit => {
      const own = Math.min(coin.maxLeverage, leverage ?? coin.maxLeverage);
      const limit = limitAt(buckets, own);
      const largest = limit.kind === 'bucket' ? limit.bucket.maxNotional : undefined;
      const px = marks?.get(coin.coin);
      return { ...coin, leverage: own, largest, size: largest && px && sizeOf(largest, px, coin.szDecimals) };
    });
  return (
    <>
      <p className="text-12 text-dim">
        Sizes at the marks of the exchange <Age at={markets.dataUpdatedAt || undefined} />{' '}
        {marks === undefined && (
          <Button
            look="plain"
            disabled={markets.isFetching}
            onClick={() => void markets.refetch({ cancelRefetch: false })}
          >
            Load the marks <PriceTag credits={infoCredits('metaAndAssetCtxs')} />
          </Button>
        )}
      </p>
      <DataTable
        name="Largest market order by coin"
        isShort
        columns={columnsOf(rows, onPick)}
        rows={rows}
        keyOf={({ coin }) => coin}
        selected={chosen}
      />
    </>
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
