import type { DecimalString } from '@l4desk/protocol';
import { columnDecimals, decimalText } from '../../ui/format.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { type Bucket, overBy } from './buckets.ts';

interface BucketTableProps {
  readonly buckets: readonly Bucket[];
  /** The bucket of the given leverage. */
  readonly chosen: Bucket | undefined;
  readonly notional: DecimalString | undefined;
  readonly onPick: (leverage: number) => void;
}

const keyOf = ({ maxLeverage }: Bucket) => String(maxLeverage);

export function BucketTable({ buckets, chosen, ...rest }: BucketTableProps) {
  return (
    <DataTable
      name="Buckets"
      isShort
      columns={columnsOf(buckets, rest)}
      rows={buckets}
      keyOf={keyOf}
      selected={chosen && keyOf(chosen)}
    />
  );
}

function columnsOf(
  buckets: readonly Bucket[],
  { notional, onPick }: Pick<BucketTableProps, 'notional' | 'onPick'>,
): readonly TableColumn<Bucket>[] {
  const decimals = columnDecimals(buckets.map(({ maxNotional }) => maxNotional));
  const columns: readonly TableColumn<Bucket>[] = [
    {
      id: 'leverage',
      title: 'Leverage',
      align: 'end',
      cell: (bucket) => (
        <button
          type="button"
          aria-label={`Show ${leverageText(bucket)}`}
          className="-mr-1 h-6 min-w-6 rounded-4 px-1 underline decoration-edge underline-offset-2 hover:text-strong"
          onClick={() => onPick(bucket.maxLeverage)}
        >
          {leverageText(bucket)}
        </button>
      ),
    },
    {
      id: 'notional',
      title: 'Largest market order, USD',
      align: 'end',
      text: ({ maxNotional }) => decimalText(maxNotional, decimals),
    },
  ];
  if (notional === undefined) return columns;
  const verdict = (bucket: Bucket) =>
    overBy(bucket, notional) === undefined ? (
      <span className="answer">✓ within</span>
    ) : (
      <span className="answer text-stale">✗ over</span>
    );
  return [...columns, { id: 'verdict', title: 'Your order', cell: verdict }];
}

/** `21–25×`; leverage is a whole number. */
function leverageText({ above, maxLeverage }: Bucket): string {
  return above + 1 === maxLeverage ? `${maxLeverage}×` : `${above + 1}–${maxLeverage}×`;
}
