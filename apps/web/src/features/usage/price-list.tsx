import { INFO_CREDITS, TARIFF } from '@l4desk/protocol';
import { wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { type ShortColumn, ShortTable } from '../../ui/short-table.tsx';

interface Price {
  readonly operation: string;
  readonly credits: number;
  readonly per: string;
}

const PRICES: readonly Price[] = [
  { operation: 'l4BookUpdates', credits: TARIFF.l4BookUpdatesPerCoinMinute, per: 'coin and started minute' },
  ...Object.entries(INFO_CREDITS)
    .map(([operation, credits]) => ({ operation, credits, per: 'answered call' }))
    .sort((a, b) => b.credits - a.credits),
];

const COLUMNS: readonly ShortColumn<Price>[] = [
  { title: 'Operation', cell: ({ operation }) => <span className="num text-12">{operation}</span> },
  { title: 'Credits', align: 'end', cell: ({ credits }) => wholeText(credits) },
  { title: 'per', cell: ({ per }) => <span className="text-12 text-dim">{per}</span> },
];

/** What each operation costs. */
export function PriceList() {
  return (
    <Panel title="Prices">
      <p className="text-12 text-dim">Failed and refused calls cost nothing; usage and sign-in cost nothing.</p>
      <div className="overflow-x-auto">
        <ShortTable name="Prices" columns={COLUMNS} rows={PRICES} keyOf={({ operation }) => operation} />
      </div>
    </Panel>
  );
}
