import { type UsageDay } from '../../api/account-usage/days.ts';
import { type MonthFacts } from '../../api/account-usage/month-facts.ts';
import { count, type ExportColumn, text } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted } from '../../ui/format.ts';
import { type UsageFacts } from './usage-facts.ts';

const COLUMNS: readonly ExportColumn<UsageDay>[] = [
  { name: 'date', value: ({ date }) => text(date) },
  { name: 'premium_credits', value: ({ premium }) => count(premium) },
  { name: 'free_credits', value: ({ free }) => count(free) },
  { name: 'credits', value: ({ credits }) => count(credits) },
  { name: 'month_to_date_credits', value: ({ month }) => count(month?.credits) },
];

/** Exports the days of the window; the JSON also has the plan, the keys and the forecast. */
export function UsageExport({ facts, month }: { readonly facts: UsageFacts; readonly month: MonthFacts | undefined }) {
  const { period, aggregate, by_api_key } = facts;
  return (
    <ExportMenu
      name={['usage', period.from, period.to]}
      says={`${counted(facts.days.length, 'day')} in UTC. The JSON has the plan, the keys and the forecast too.`}
      columns={COLUMNS}
      rows={() => facts.days}
      facts={() => ({ period, aggregate, by_api_key, forecast: month?.forecast })}
    />
  );
}
