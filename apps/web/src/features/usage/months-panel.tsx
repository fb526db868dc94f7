import type { MonthUse } from '../../api/account-usage/days.ts';
import { wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { shareText } from '../../ui/share-text.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import type { UsageFacts } from './usage-facts.ts';

/** The calendar months of the window, each compared with the ceiling if that is meaningful. */
export function MonthsPanel({ facts: { months, aggregate } }: { readonly facts: UsageFacts }) {
  const credits = (id: 'premium' | 'free' | 'credits', title: string): TableColumn<MonthUse> => ({
    id,
    title,
    align: 'end',
    narrow: id === 'credits',
    text: (month) => wholeText(month[id]),
    total: wholeText(months.reduce((total, month) => total + month[id], 0)),
  });
  const columns: TableColumn<MonthUse>[] = [
    { id: 'month', title: 'Month', narrow: true, cell: monthText, total: 'Window' },
    credits('premium', 'Premium'),
    credits('free', 'Free'),
    credits('credits', 'Credits'),
    {
      id: 'share',
      title: '% of plan',
      align: 'end',
      narrow: true,
      text: ({ extent, credits: used }) => (extent === 'part' ? '–' : (shareText(used, aggregate.max_credits) ?? '–')),
    },
  ];
  return (
    <Panel title="Months">
      <DataTable
        name="Credits by month"
        isShort
        columns={columns}
        rows={months.toReversed()}
        keyOf={({ month }) => month}
      />
      <p className="text-12 text-dim">
        % of the current plan, by calendar month; “–” if the window covers only part of the month.
      </p>
    </Panel>
  );
}

function monthText({ month, extent, from, to }: MonthUse) {
  return (
    <>
      <span className="num text-12">{month}</span>
      {extent === 'so far' && <span className="text-12 text-dim"> so far</span>}
      {extent === 'part' && (
        <span className="text-12 text-dim">
          {' '}
          {from.slice(8)}–{to.slice(8)}
        </span>
      )}
    </>
  );
}
