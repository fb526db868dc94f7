import { dayOf, decodeUsageQuery, INFO_KINDS, type InfoKind, infoCredits, TARIFF } from '@l4desk/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { UsageDay } from '../../api/account-usage/days.ts';
import { MONTH_BASIS, monthFactsOf } from '../../api/account-usage/month-facts.ts';
import { useSession } from '../../api/session-context.tsx';
import { type UsageAsk, usageQuery } from '../../api/usage.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { ticker } from '../../state/ticker.ts';
import { DayRangeField } from '../../ui/day-range.tsx';
import type { ExportColumn } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import { Page, RefreshButton } from '../../ui/page/page.tsx';
import { Age, Failed, FailedBand } from '../../ui/page/states.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { DaysPanel, MonthsPanel } from './days-panel.tsx';
import { ForecastPanel, PlanPanel } from './plan-panel.tsx';
import { usageSearch } from './search.ts';
import { MissingServiceKey, refusalOf } from './service-key.tsx';
import { factsOf } from './usage-plot.ts';
import { KeysPanel, KindsPanel } from './uses-panels.tsx';

const DAY_MS = 86_400_000;
/** Usage changes with every call: a response older than this, in ms, is stale. */
const STALE_AFTER_MS = 600_000;

const EXPORT: readonly ExportColumn<UsageDay>[] = [
  { name: 'date', text: ({ date }) => date },
  { name: 'premium_credits', value: ({ premium }) => premium },
  { name: 'free_credits', value: ({ free }) => free },
  { name: 'credits', value: ({ credits }) => credits },
  { name: 'month_to_date_credits', value: ({ month }) => month?.credits },
];

/** Panels separated by a hairline: the background shows through the gaps. */
const COLUMN = 'flex min-w-0 flex-col gap-px bg-line *:bg-surface-0 *:last:grow';
const GRID =
  'grid grow gap-px bg-line [&>section]:bg-surface-0 pair:grid-cols-2 xl:grid-cols-3 xl:grid-rows-[auto_1fr]';
/** Where only two columns fit, a row of its own. */
const WIDE = 'pair:col-span-2';

/** The credits of the account: by day, by key, compared with the plan, and forecast. */
export function UsagePage() {
  const session = useSession();
  const { choices, change, refusing } = usePageSearch(usageSearch);
  const today = useSyncExternalStore(ticker.subscribe, () => dayOf(ticker.get()));
  const asks = askedWindow(choices, dayOf(Date.parse(today) + DAY_MS));
  const { ask, period, refused } = asks;
  const mayAsk = session.credentials.service !== null;
  const asked = useQuery({ ...usageQuery(ask), enabled: mayAsk });
  const askedMonth = useQuery({ ...usageQuery(MONTH_BASIS), enabled: mayAsk });
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.refetchQueries({ queryKey: ['usage'], type: 'active' });
  const refusal = mayAsk ? refusalOf(asked.error) : 'missing';
  const facts = asked.data && factsOf(asked.data, 'duration' in ask, asked.dataUpdatedAt);
  const month = askedMonth.data && monthFactsOf(askedMonth.data, askedMonth.dataUpdatedAt);
  const simulated = session.simulatedUsage;

  if (refusal !== undefined) {
    return (
      <Page title="Usage" search={refusing(refused)}>
        <MissingServiceKey why={refusal} account={session.account.name} demo={session.demo} />
      </Page>
    );
  }
  return (
    <Page
      title="Usage"
      search={refusing(refused)}
      view={viewText(asks)}
      controls={
        <>
          <Segmented
            name="Period"
            value={period ?? ''}
            options={PERIODS}
            onChange={(value) => {
              const m = value === '1' || value === '' ? undefined : value;
              change({ m, from: undefined, to: undefined }, 'push');
            }}
          />
          <DayRangeField
            name="Window"
            value={facts?.period ?? ('duration' in ask ? { from: undefined, to: undefined } : ask)}
            max={today}
            closed
            onChange={({ from, to }) => change({ m: undefined, from, to }, 'push')}
          />
        </>
      }
      state={
        <>
          <Age at={asked.dataUpdatedAt || undefined} staleAfterMs={STALE_AFTER_MS} isOwn />
          {facts && (
            <ExportMenu
              name={['usage', facts.period.from, facts.period.to]}
              description={`${counted(facts.days.length, 'day')} in UTC. The JSON has the plan, the keys and the forecast too.`}
              columns={EXPORT}
              rows={() => facts.days}
              facts={() => {
                const { period, aggregate, by_api_key } = facts;
                return { period, aggregate, by_api_key, forecast: month?.forecast };
              }}
            />
          )}
          <RefreshButton page="Usage" what="usage" credits={0} isBusy={asked.isFetching} run={refresh} />
        </>
      }
      notices={
        <>
          {simulated !== undefined && (
            <p className="border-b border-line bg-surface-2 px-3 py-1 text-12">
              <strong className="text-stale">Simulated data.</strong> The credits of {simulated.from} – {simulated.to}{' '}
              are sample data for the demo account; later days are real calls to the demo.
            </p>
          )}
          {asked.isRefetchError && <FailedBand error={asked.error} onRetry={refresh} />}
        </>
      }
      status={
        <>
          <span>
            {facts === undefined ? (
              '–'
            ) : (
              <>
                <span className="num" data-part="window">
                  {facts.period.from} – {facts.period.to}
                </span>{' '}
                · {counted(facts.days.length, 'day')}, inclusive
              </>
            )}
          </span>
          <span className="max-sm:hidden">
            Days are UTC. Loading usage is free. Manage keys and accounts with the CLI.
          </span>
        </>
      }
    >
      {facts === undefined && asked.isError ? (
        <Failed error={asked.error} onRetry={refresh} />
      ) : (
        <div className="flex min-h-0 grow flex-col overflow-y-auto" aria-busy={facts === undefined}>
          <div className={GRID}>
            {facts ? (
              <DaysPanel facts={facts} forecast={month?.forecast} className={WIDE} />
            ) : (
              <Waiting title="Window" height="h-[max(408px,100dvh-852px)]" className={WIDE} />
            )}
            <div className={`${COLUMN} pair:max-xl:col-span-2 pair:max-xl:flex-row pair:max-xl:*:flex-1`}>
              {month ? <PlanPanel facts={month} /> : <Waiting title="Plan, this month" height="h-44" />}
              {month ? <ForecastPanel facts={month} /> : <Waiting title="Forecast" height="h-44" />}
            </div>
            <div className={COLUMN}>
              {facts ? (
                <KeysPanel facts={facts} keys={session.accountKeys ?? []} ownKey={session.credentials.api?.shown} />
              ) : (
                <Waiting title="Keys" height="h-62" />
              )}
              {facts ? <MonthsPanel facts={facts} /> : <Waiting title="Months" height="h-40" />}
            </div>
            {facts ? (
              <KindsPanel facts={facts} keys={session.accountKeys ?? []} />
            ) : (
              <Waiting title="Kinds" height="h-62" />
            )}
            <PriceList />
          </div>
        </div>
      )}
    </Page>
  );
}

interface WaitingProps {
  readonly title: string;
  readonly height: string;
  readonly className?: string;
}

/** The room of a panel that is still loading. */
function Waiting({ title, height, className = '' }: WaitingProps) {
  return (
    <Panel title={title} className={className}>
      <output className={`flex items-center justify-center bg-surface-1 text-dim ${height}`}>
        <span className="motion-safe:animate-[appear_0s_200ms_both]">Loading…</span>
      </output>
    </Panel>
  );
}

type Choices = ReturnType<typeof usageSearch.read>;

/** The periods that go back from today; `1` is the month so far. */
const PERIODS = [
  { value: '1', text: 'This month', hint: 'From the first of this month to today, UTC' },
  { value: '3', text: '3 months', hint: 'Three months back from today, UTC' },
  { value: '6', text: '6 months', hint: 'Six months back from today, UTC' },
  { value: '12', text: '12 months', hint: 'Twelve months back from today, UTC' },
] as const;

type Period = (typeof PERIODS)[number]['value'];

const MONTHS = { '1': 1, '3': 3, '6': 6, '12': 12 } as const;

/** The window to request, and the refused parameters of the address, as written. */
interface AskedWindow {
  readonly ask: UsageAsk;
  /** Undefined for explicit days. */
  readonly period: Period | undefined;
  readonly refused: readonly string[];
}

/**
 * Returns explicit days if the address has both and they form a valid window (D40), else months back from today. `tomorrow` is
 * the day after the page's UTC day: one extra day is accepted, for a service whose clock is ahead; the service decides.
 */
export function askedWindow({ m, from, to }: Choices, tomorrow: string): AskedWindow {
  const period = m ?? '1';
  const back: AskedWindow = { ask: { duration: MONTHS[period] }, period, refused: [] };
  if (from === undefined && to === undefined) return back;
  const decoded = decodeUsageQuery({ from, to }, tomorrow);
  if (decoded.kind === 'window') return { ask: decoded.window, period: undefined, refused: [] };
  const written = Object.entries({ from, to }).flatMap(([name, day]) => (day === undefined ? [] : [`${name}=${day}`]));
  return { ...back, refused: written };
}

export function viewText({ ask, period }: AskedWindow): string {
  return 'from' in ask ? `${ask.from} – ${ask.to}` : (PERIODS.find(({ value }) => value === period)?.text ?? '');
}

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
  return [...groupBy(Object.keys(INFO_KINDS) as InfoKind[], infoCredits)]
    .sort(([a], [b]) => b - a)
    .map(([credits, operations]) => ({ credits, per: 'per completed call', operations }));
}

export function PriceList() {
  return (
    <Panel title="Prices" className="pair:max-xl:col-span-2">
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
