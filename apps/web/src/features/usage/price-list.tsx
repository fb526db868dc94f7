import { INFO_CREDITS, TARIFF } from '@l4desk/protocol';
import { counted } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import { Panel } from '../../ui/panel.tsx';

interface Price {
  readonly credits: number;
  readonly per: string;
  readonly operations: readonly string[];
}

const PRICES: readonly Price[] = [
  { credits: TARIFF.l4BookUpdatesPerCoinMinute, per: 'per coin and started minute', operations: ['l4BookUpdates'] },
  ...pricesOfCalls(),
];

function pricesOfCalls(): readonly Price[] {
  return [...groupBy(Object.entries(INFO_CREDITS), ([, credits]) => credits)]
    .sort(([a], [b]) => b - a)
    .map(([credits, calls]) => ({ credits, per: 'per completed call', operations: calls.map(([name]) => name) }));
}

export function PriceList() {
  return (
    <Panel title="Prices">
      <dl className="flex flex-col gap-3">
        {PRICES.map(({ credits, per, operations }) => (
          <div key={`${credits} ${per}`}>
            <dt>
              <span className="num text-12 text-strong">{counted(credits, 'credit')}</span>{' '}
              <span className="text-dim">{per}</span>
            </dt>
            <dd>
              <ul className="num flex flex-wrap gap-x-3 text-12">
                {operations.map((operation) => (
                  <li key={operation}>{operation}</li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-12 text-dim">
        Refused calls, calls that fail entirely, usage and sign-in are free. A completed batch is charged even if every
        wallet in it failed.
      </p>
    </Panel>
  );
}
