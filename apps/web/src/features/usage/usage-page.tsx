import { dayOf } from '@l4desk/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { MONTH_BASIS, monthFactsOf } from '../../api/account-usage/month-facts.ts';
import { useSession } from '../../api/session-context.tsx';
import { usageQuery } from '../../api/usage.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { ticker } from '../../state/ticker.ts';
import { Button } from '../../ui/button.tsx';
import { DayRangeField } from '../../ui/day-range.tsx';
import { wholeText } from '../../ui/format.ts';
import { Page } from '../../ui/page/page.tsx';
import { Age, Failed, FailedBand } from '../../ui/page/states.tsx';
import { useRefresh } from '../../ui/page/use-refresh.ts';
import { PriceTag } from '../../ui/price-tag.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { usageSearch } from './search.ts';
import { MissingServiceKey, refusalOf } from './service-key.tsx';
import { UsageExport } from './usage-export.tsx';
import { factsOf } from './usage-facts.ts';
import { UsagePanels } from './usage-panels.tsx';
import { askedWindow, PERIODS, viewText } from './usage-window.ts';

const DAY_MS = 86_400_000;
/** Usage changes with every call: a response older than this, in ms, is stale. */
const STALE_AFTER_MS = 600_000;

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
  useRefresh('Usage', { what: 'usage', credits: 0, isBusy: !mayAsk || asked.isFetching, run: refresh });
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
          {facts && <UsageExport facts={facts} month={month} />}
          <Button look="plain" icon={RefreshCw} disabled={asked.isFetching} onClick={refresh}>
            <span className="max-sm:sr-only">Refresh</span> <PriceTag credits={0} />
          </Button>
        </>
      }
      notices={
        <>
          {simulated !== undefined && (
            <p className="border-b border-line bg-surface-2 px-3 py-1 text-12">
              <strong className="text-stale">Simulated data.</strong> The credits of{' '}
              <span className="num">
                {simulated.from} – {simulated.to}
              </span>{' '}
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
                · <span className="num">{wholeText(facts.days.length)}</span> days, inclusive
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
        <UsagePanels
          facts={facts}
          month={month}
          keys={session.accountKeys ?? []}
          ownKey={session.credentials.api?.shown}
          chart={choices.chart ?? 'day'}
          as={choices.as ?? 'chart'}
          onChart={(chart) => change({ chart: chart === 'month' ? chart : undefined })}
          onAs={(as) => change({ as: as === 'table' ? as : undefined })}
        />
      )}
    </Page>
  );
}
