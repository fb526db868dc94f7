import { INFO_CREDITS, TARIFF } from '@l4desk/protocol';
import { wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { type ShortColumn, ShortTable } from '../../ui/short-table.tsx';

interface Price {
  readonly operation: string;
  readonly credits: number;
  /** What the credits are for, where it is not an answered call. */
  readonly per?: string;
}

const PRICES: readonly Price[] = [
  { operation: 'l4BookUpdates', credits: TARIFF.l4BookUpdatesPerCoinMinute, per: 'a coin and started minute' },
  ...Object.entries(INFO_CREDITS)
    .map(([operation, credits]) => ({ operation, credits }))
    .sort((a, b) => b.credits - a.credits),
];

const COLUMNS: readonly ShortColumn<Price>[] = [
  {
    title: 'Operation',
    cell: ({ operation, per }) => (
      <>
        <span className="num text-12">{operation}</span>
        {per !== undefined && <span className="text-12 text-dim"> {per}</span>}
      </>
    ),
  },
  { title: 'Credits', align: 'end', cell: ({ credits }) => wholeText(credits) },
];

/** What each operation costs. */
export function PriceList() {
  return (
    <Panel title="Prices">
      <p className="text-12 text-dim">
        Of an answered call, where nothing else is said. Failed and refused calls, usage and signing in cost nothing.
      </p>
      <ShortTable name="Prices" columns={COLUMNS} rows={PRICES} keyOf={({ operation }) => operation} />
    </Panel>
  );
}
