import type { DecimalString } from '@l4desk/protocol';
import { columnDecimals, sizeText } from '../../ui/format.ts';
import { type ShortColumn, ShortTable } from '../../ui/short-table.tsx';
import { type Bucket, overBy } from './buckets.ts';

interface BucketTableProps {
  readonly buckets: readonly Bucket[];
  /** The bucket of the leverage asked about. */
  readonly chosen: Bucket | undefined;
  /** An order to hold against each bucket. */
  readonly notional: DecimalString | undefined;
  readonly onPick: (leverage: number) => void;
}

/** Every bucket with its largest market order, digit by digit. */
export function BucketTable({ buckets, chosen, notional, onPick }: BucketTableProps) {
  const decimals = columnDecimals(buckets.map(({ maxNotional }) => maxNotional));
  const columns: ShortColumn<Bucket>[] = [
    {
      title: 'Up to',
      align: 'end',
      cell: ({ maxLeverage }) => (
        <button
          type="button"
          aria-label={`Show ${maxLeverage}×`}
          className="rounded-4 px-1 underline decoration-edge underline-offset-2 hover:text-strong"
          onClick={() => onPick(maxLeverage)}
        >
          {maxLeverage}×
        </button>
      ),
    },
    { title: 'Holds', align: 'end', cell: holdsText },
    {
      title: 'Largest market order',
      align: 'end',
      cell: ({ maxNotional }) => `${sizeText(maxNotional, decimals)} USD`,
    },
  ];
  if (notional !== undefined)
    columns.push({
      title: 'Your order',
      cell: (bucket) =>
        overBy(bucket, notional) === undefined ? '✓ within' : <span className="text-stale">✗ over</span>,
    });
  return (
    <ShortTable
      name="Buckets"
      columns={columns}
      rows={buckets}
      keyOf={({ maxLeverage }) => String(maxLeverage)}
      isCurrent={(bucket) => bucket === chosen}
    />
  );
}

/** `21–25×`: leverage is a whole number. */
function holdsText({ above, maxLeverage }: Bucket): string {
  return above + 1 === maxLeverage ? `${maxLeverage}×` : `${above + 1}–${maxLeverage}×`;
}
