import { infoCredits } from '@l4desk/protocol';
import { useCallback, useMemo } from 'react';
import { PriceRule } from '../../api/price-rule.tsx';
import { useActions } from '../../hooks/actions.ts';
import { usePreferences } from '../../state/preferences.ts';
import { counted, shortAddress, wholeText } from '../../ui/format.ts';
import { Inspector, Page, RefreshButton } from '../../ui/page/page.tsx';
import { Age, FailedBand } from '../../ui/page/states.tsx';
import { WalletNotices } from '../../wallets/wallet-roles.tsx';
import { CallStates } from './call-states.tsx';
import { isFiltered } from './choices.ts';
import { CoverageBar, CoveragePanel, coverageOf, earliestOf } from './coverage-panel.tsx';
import { FilterBar } from './filter-bar.tsx';
import { OrderDetails } from './order-details.tsx';
import type { OrderRow } from './order-rows.ts';
import { OrdersControls, VIEW_TEXTS } from './orders-controls.tsx';
import { failureOfAll, noOutcomesText, OrdersGrid } from './orders-grid.tsx';
import { PlacesBar } from './places-bar.tsx';
import { VIEWS } from './search.ts';
import { StatisticsPanel } from './statistics-panel.tsx';
import { creditsOf, emptyOf } from './use-order-calls.ts';
import { useOrders } from './use-orders.ts';

export function OrdersPage() {
  const orders = useOrders();
  const { search, choices, change, view, wallets, missingGroups, asks, asked, waiting, refresh } = orders;
  const { table, spot, coinText, rows, selected, opening } = orders;
  const open = useCallback((row: OrderRow) => change({ row: row.key, panel: undefined }, opening), [change, opening]);
  // Back leads to the order in which it was opened.
  const openRelated = useCallback((row: OrderRow) => change({ row: row.key }, 'push'), [change]);
  const openPanel = useCallback(
    (panel: 'statistics' | 'coverage') => change({ panel, row: undefined }, opening),
    [change, opening],
  );
  const privacy = usePreferences((state) => state.privacy);
  const { fills } = orders;
  const isFilled = fills.fillsOf !== undefined;
  const credits = creditsOf(asks) + (isFilled ? wallets.length * infoCredits('userFills') : 0);
  const refreshAll = () => {
    refresh();
    if (isFilled) fills.refresh();
  };
  useActions('Orders', [
    ...VIEWS.map((to) => ({
      id: `orders ${to}`,
      label: `Orders: ${VIEW_TEXTS[to].text}`,
      run: () => change({ show: to === 'open' ? undefined : to }),
    })),
    { id: 'orders statistics', label: 'Outcome statistics', run: () => openPanel('statistics') },
  ]);
  const loaded = asked.filter((call) => call.rows !== undefined);
  const oldest = earliestOf(loaded.map(({ at }) => at));
  const newest = Math.max(0, ...loaded.map(({ at = 0 }) => at));
  const onTheWay = asked.filter(({ state, refreshing }) => refreshing || state.kind === 'asking').length;
  const isBusy = asks.length === 0 || onTheWay > 0 || waiting !== undefined;
  const empty = useMemo(() => emptyOf(asked), [asked]);
  const coverages = useMemo(
    () => asked.flatMap((call) => (call.rows && call.ask.call === 'historicalOrders' ? coverageOf(call.rows) : [])),
    [asked],
  );

  return (
    <Page
      title="Orders"
      view={
        <>
          <span className="private">
            {wallets.length === 1
              ? wallets[0]?.label || shortAddress(wallets[0]?.address ?? '')
              : counted(wallets.length, 'wallet')}
          </span>
          , {VIEW_TEXTS[view].text}
        </>
      }
      // The title of a window cannot be blurred.
      subject={!privacy && wallets.length === 1 ? wallets[0]?.label || wallets[0]?.address : undefined}
      search={search}
      controls={<OrdersControls orders={orders} />}
      state={
        <>
          {onTheWay > 0 ? (
            <output className="num text-dim">
              {wholeText(asked.length - onTheWay)} of {counted(asked.length, 'call')}
            </output>
          ) : (
            <Age at={oldest && earliestOf([oldest, fills.at])} />
          )}
          <RefreshButton page="Orders" what="orders" credits={credits || undefined} isBusy={isBusy} run={refreshAll} />
        </>
      }
      notices={
        <>
          <FilterBar orders={orders} />
          {spot.isError && (
            <FailedBand
              error={spot.error}
              kept={loaded.length > 0}
              of="Names of spot pairs"
              onRetry={() => void spot.refetch()}
              credits={infoCredits('spotMeta')}
            />
          )}
          {isFilled && fills.error && (
            <FailedBand
              error={fills.error}
              of={`Fills of ${counted(fills.failed.length, 'wallet')}`}
              onRetry={() => fills.refresh(fills.failed)}
              credits={fills.failed.length * infoCredits('userFills')}
            />
          )}
          <CoverageBar coverages={coverages} until={newest} onOpen={() => openPanel('coverage')} />
          {view === 'open' && <PlacesBar rows={table.rows} wallets={wallets} at={oldest} />}
          {failureOfAll(asked) === undefined && (
            <CallStates
              asked={asked}
              onRetry={refresh}
              onLeaveOut={(dex) => change({ dex: choices.dex?.filter((other) => other !== dex), row: undefined })}
            />
          )}
        </>
      }
      notes={
        <WalletNotices
          {...{ missingGroups, empty, credits }}
          choice={orders.choice}
          onChange={(w) => change({ w, row: undefined })}
        />
      }
      inspector={
        selected !== undefined ? (
          <Inspector
            title={
              <>
                Order <span className="num">{selected.order.oid}</span>
              </>
            }
            onClose={() => change({ row: undefined })}
          >
            <OrderDetails {...{ table, coinText }} row={selected} fillsOf={fills.fillsOf} onOpen={openRelated} />
          </Inspector>
        ) : choices.panel === 'statistics' ? (
          <Inspector title="Outcome statistics" onClose={() => change({ panel: undefined })}>
            <StatisticsPanel rows={rows} noneText={noOutcomesText(view, isFiltered(choices))} coinText={coinText} />
          </Inspector>
        ) : choices.panel === 'coverage' ? (
          <Inspector title="Coverage and freshness" onClose={() => change({ panel: undefined })}>
            <CoveragePanel asked={asked} />
          </Inspector>
        ) : undefined
      }
      status={
        <>
          <span>
            {wholeText(rows.length)} of {counted(table.rows.length, 'row')}
          </span>
          <PriceRule />
          <span className="max-md:sr-only">
            Statuses and numbers as reported; outcomes derived from status, sz and origSz.{' '}
            {isFilled
              ? 'Fills: the last 2,000 of a wallet; outcomes also by newer ones.'
              : 'Executions are not reported.'}
          </span>
        </>
      }
    >
      <OrdersGrid orders={orders} onOpen={open} />
    </Page>
  );
}
