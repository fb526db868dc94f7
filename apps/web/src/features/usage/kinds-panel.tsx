import type { SessionUsage } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { usageByKindQuery } from '../../api/usage.ts';
import { count, text } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { creditColumns } from './credit-columns.tsx';
import { type UsageFacts } from './usage-facts.ts';

type KindUse = SessionUsage['by_kind'][number];

const keyOf = ({ kind }: KindUse) => kind;

const KIND: TableColumn<KindUse> = {
  id: 'kind',
  title: 'Kind',
  cell: ({ kind }) => (
    <span className="num text-12">
      {kind}
      {kind === 'simulated' && <span className="font-sans text-dim"> · sample data of the demo</span>}
    </span>
  ),
  total: 'All kinds',
};

/** What the window's credits were spent on. */
export function KindsPanel({ period }: Pick<UsageFacts, 'period'>) {
  const { data, error } = useQuery(usageByKindQuery(period));
  const uses = data?.by_kind ?? [];
  const total = uses.reduce((sum, { credits }) => sum + credits, 0);
  return (
    <Panel
      title="Kinds"
      controls={
        uses.length > 0 && (
          <ExportMenu
            name={['usage-kinds', period.from, period.to]}
            says={`${counted(uses.length, 'kind')} of use.`}
            columns={[
              { name: 'kind', value: ({ kind }) => text(kind) },
              { name: 'credits', value: ({ credits }) => count(credits) },
            ]}
            rows={() => uses}
          />
        )
      }
    >
      {error !== null && <p className="text-stale">Credits by kind failed to load: {error.message}.</p>}
      {uses.length > 0 ? (
        <DataTable
          name="Credits by kind"
          isShort
          columns={[KIND, ...creditColumns(uses, total)]}
          rows={uses}
          keyOf={keyOf}
        />
      ) : (
        error === null && (
          <p className="text-dim">{data === undefined ? 'Loading…' : 'No credits used in this window.'}</p>
        )
      )}
      <p className="text-12 text-dim">
        l4BookUpdates are minutes of followed books, everything else is calls. Pages and bots are told apart by their
        keys.
      </p>
    </Panel>
  );
}
