import type { CreditsUsed, MonthUse, UsageDay } from '../../api/account-usage/days.ts';
import type { Forecast } from '../../api/account-usage/forecast.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { PictureMenu } from '../../ui/chart/picture-menu.tsx';
import { counted, wholeText } from '../../ui/format.ts';
import { Empty } from '../../ui/page/states.tsx';
import { Panel } from '../../ui/panel.tsx';
import { optionsOf, Segmented } from '../../ui/segmented.tsx';
import { shareText } from '../../ui/share-text.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { usageSearch } from './search.ts';
import { type ChartKind, UsageChart } from './usage-chart.tsx';
import { spanOf, type UsageFacts } from './usage-plot.ts';

interface DaysPanelProps {
  readonly facts: UsageFacts;
  readonly forecast: Forecast | undefined;
  readonly className: string;
}

const KINDS = [
  { value: 'day', text: 'Per day', hint: 'Credits used each day' },
  { value: 'month', text: 'Month to date', hint: 'Running total of each calendar month, against ceiling and flex' },
] as const;

const LOOKS = optionsOf({ chart: 'Chart', table: 'Table' });

export function DaysPanel({ facts, forecast, className }: DaysPanelProps) {
  const { choices, change } = usePageSearch(usageSearch);
  const chart: ChartKind = choices.chart ?? 'day';
  const as = choices.as ?? 'chart';
  const { days, aggregate } = facts;
  const span = spanOf(days.length);
  return (
    <Panel
      title="Window"
      className={className}
      controls={
        <span className="flex flex-wrap items-center gap-2">
          {as === 'chart' && (
            <Segmented
              name="What the chart shows"
              value={chart}
              options={KINDS}
              onChange={(next) => change({ chart: next === 'month' ? next : undefined })}
            />
          )}
          {as === 'chart' && (
            <PictureMenu
              name={['usage', facts.period.from, facts.period.to]}
              captions={() => [
                { text: `Credits ${chart === 'day' ? `per ${span}` : 'of each month to date'}` },
                { text: `${facts.period.from} to ${facts.period.to} (UTC days)` },
              ]}
            />
          )}
          <Segmented
            name="Chart or table"
            value={as}
            options={LOOKS}
            onChange={(next) => change({ as: next === 'table' ? next : undefined })}
          />
        </span>
      }
    >
      <p className="flex flex-wrap items-baseline gap-x-4 text-dim" data-part="aggregate">
        <span>
          <strong className="num text-15 text-strong" data-figure="credits_consumed">
            {wholeText(aggregate.credits_consumed)}
          </strong>{' '}
          credits from <span className="num text-12">{facts.period.from}</span> to{' '}
          <span className="num text-12">{facts.period.to}</span>
        </span>
        {(['premium', 'free'] as const).map((kind) => (
          <span key={kind}>
            <span className="num text-12 text-text" data-figure={`${kind}_credits`}>
              {wholeText(aggregate[`${kind}_credits`])}
            </span>{' '}
            {kind}
          </span>
        ))}
      </p>
      <div className={`flex min-w-0 flex-col ${as === 'table' ? 'h-[max(330px,100dvh-930px)]' : 'min-h-[330px]'}`}>
        {as === 'table' ? (
          <DataTable
            name="Credits by day"
            columns={columnsOf(aggregate.max_credits)}
            rows={days.toReversed()}
            keyOf={({ date }) => date}
          />
        ) : aggregate.credits_consumed === 0 ? (
          <Empty>
            No credits used from {facts.period.from} to {facts.period.to}. Calls and minutes of a followed book appear
            here on their UTC day.
          </Empty>
        ) : (
          <UsageChart {...{ facts, forecast, span, chart }} />
        )}
      </div>
      {as === 'chart' && chart === 'day' && span !== 'day' && (
        <p className="text-12 text-dim">
          {counted(days.length, 'day')} are too many for daily bars: each bar is a{' '}
          {span === 'week' ? 'week starting Monday' : 'calendar month'}, partial at the ends of the window. The table
          has every day.
        </p>
      )}
    </Panel>
  );
}

const CREDITS = { premium: 'Premium', free: 'Free', credits: 'Credits' } as const;
type Kind = keyof typeof CREDITS;

function creditColumns<Row extends CreditsUsed>(
  more: (kind: Kind) => Partial<TableColumn<Row>>,
): readonly TableColumn<Row>[] {
  return (['premium', 'free', 'credits'] as const).map((id) => ({
    id,
    title: CREDITS[id],
    align: 'end',
    text: (row) => wholeText(row[id]),
    ...more(id),
  }));
}

function columnsOf(ceiling: number): readonly TableColumn<UsageDay>[] {
  return [
    {
      id: 'date',
      title: 'Day (UTC)',
      width: 110,
      fixed: true,
      copied: ({ date }) => date,
      cell: ({ date }) => <span className="num text-12">{date}</span>,
    },
    ...creditColumns<UsageDay>(() => ({ width: 110 })),
    {
      id: 'month',
      title: 'Month to date',
      hint: 'Since the first of the month; “–” if the window starts mid-month',
      width: 130,
      align: 'end',
      text: ({ month }) => (month === undefined ? '–' : wholeText(month.credits)),
    },
    {
      id: 'share',
      title: '% of plan',
      hint: 'Month to date as a share of the plan’s ceiling',
      width: 100,
      align: 'end',
      text: ({ month }) => (month && shareText(month.credits, ceiling)) ?? '–',
    },
  ];
}

/** The calendar months of the window, each compared with the ceiling if that is meaningful. */
export function MonthsPanel({ facts: { months, aggregate } }: { readonly facts: UsageFacts }) {
  const columns: TableColumn<MonthUse>[] = [
    { id: 'month', title: 'Month', narrow: true, cell: monthText, total: 'Window' },
    ...creditColumns<MonthUse>((kind) => ({
      narrow: kind === 'credits',
      total: wholeText(months.reduce((total, month) => total + month[kind], 0)),
    })),
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
