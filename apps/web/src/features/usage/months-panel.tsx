import { type MonthUse } from '../../api/account-usage/days.ts';
import { wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { shareText } from '../../ui/share-text.ts';
import { type ShortColumn, ShortTable } from '../../ui/short-table.tsx';
import { type UsageFacts } from './usage-facts.ts';

/** The calendar months of the window, each compared with the ceiling if that is meaningful. */
export function MonthsPanel({ facts: { months, aggregate } }: { readonly facts: UsageFacts }) {
  const sum = (of: 'premium' | 'free' | 'credits') => wholeText(months.reduce((total, month) => total + month[of], 0));
  const columns: ShortColumn<MonthUse>[] = [
    { title: 'Month', cell: monthText, total: 'Window' },
    { title: 'Premium', align: 'end', wide: true, cell: ({ premium }) => wholeText(premium), total: sum('premium') },
    { title: 'Free', align: 'end', wide: true, cell: ({ free }) => wholeText(free), total: sum('free') },
    { title: 'Credits', align: 'end', cell: ({ credits }) => wholeText(credits), total: sum('credits') },
    {
      title: '% of plan',
      align: 'end',
      cell: ({ extent, credits }) => (extent === 'part' ? '–' : (shareText(credits, aggregate.max_credits) ?? '–')),
    },
  ];
  return (
    <Panel title="Months">
      <ShortTable name="Credits by month" columns={columns} rows={months.toReversed()} keyOf={({ month }) => month} />
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
