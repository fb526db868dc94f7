import { INFO_CREDITS } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { BarChart3, RefreshCw } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { coinsQuery } from '../../api/session.ts';
import { spotMetaQuery } from '../../api/spotMeta.ts';
import { useCommands } from '../../hooks/commands.ts';
import { usePageSearch } from '../../hooks/page-search.ts';
import { useTime } from '../../hooks/use-time.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { Facet } from '../../ui/facet.tsx';
import { counted, shortAddress, wholeText } from '../../ui/format.ts';
import { ColumnChooser } from '../../ui/grid/column-chooser.tsx';
import { Grid } from '../../ui/grid/grid.tsx';
import { type GridSort, type RowState, readSort, sortText } from '../../ui/grid/grid-column.ts';
import { useGridColumns } from '../../ui/grid/grid-columns.ts';
import { Inspector, Page } from '../../ui/page/page.tsx';
import { Age, Empty, Failed, FailedBand, Loading } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useWalletBook } from '../../wallets/wallet-book.ts';
import { useChosenWallets, type WalletChoice, walletsText } from '../../wallets/wallet-choice.ts';
import { WalletPicker } from '../../wallets/wallet-picker.tsx';
import { useWalletsWindow } from '../../wallets/wallets-window.ts';
import { CallStates } from './call-states.tsx';
import { filterOf, isFiltered, NO_FILTERS } from './choices.ts';
import { orderColumns } from './columns.tsx';
import { coverageOf } from './coverage.ts';
import { CoverageBar } from './coverage-bar.tsx';
import { CoveragePanel } from './coverage-panel.tsx';
import { exportColumns } from './export-columns.ts';
import { FilterBar } from './filter-bar.tsx';
import { type DecimalColumn, legRows, type OrderChunk, type OrderRow } from './order-chunk.ts';
import { OrderDetails } from './order-details.tsx';
import { OrderTable } from './order-table.ts';
import { Related } from './related.ts';
import { SavedViews } from './saved-views.tsx';
import { type OrdersView, ordersSearch, VIEWS } from './search.ts';
import { spotNames } from './spot-names.ts';
import { StatisticsPanel } from './statistics-panel.tsx';
import { asksFor, creditsOf, UNASKED_CREDITS_MAX, useOrderCalls } from './use-order-calls.ts';

const VIEW_TEXTS: Readonly<Record<OrdersView, { readonly text: string; readonly hint: string }>> = {
  open: { text: 'Open', hint: 'Orders resting now: 1 credit a wallet and dex' },
  history: { text: 'History', hint: 'The newest 2,000 of each wallet, open and finalized: 1 credit a wallet' },
  all: { text: 'All', hint: 'Rows of both calls, each saying which it comes from: 2 credits a wallet' },
};

const keyOf = ({ key }: OrderRow) => key;

/** The orders of one or many wallets, open and past, and what became of each one. */
export function OrdersPage() {
  const { choices, invalid, change, clean } = usePageSearch(ordersSearch);
  const view = choices.show ?? 'open';
  const { wallets, missingGroups } = useChosenWallets(choices.w);
  const addressText = wallets.map(({ address }) => address).join();
  const { triggers = false, dex } = choices;
  const dexText = dex?.join() ?? '';
  const asks = useMemo(
    () =>
      asksFor(
        wallets.map(({ address }) => address),
        view,
        { triggers, dexes: dexText === '' ? [] : dexText.split(',') },
      ),
    // oxlint-disable-next-line react/exhaustive-deps -- a new label is no reason to ask a wallet again
    [addressText, view, triggers, dexText],
  );
  const { asked, vocabularies, waiting, refresh } = useOrderCalls(asks);

  const latest = useMemo(() => asked.flatMap(({ chunk }) => chunk ?? []), [asked]);
  const chunks = useDeferredValue(latest);
  const table = useMemo(() => new OrderTable(chunks, vocabularies), [chunks, vocabularies]);
  const related = useMemo(() => new Related(chunks), [chunks]);
  const hasSpot = useMemo(() => table.words('coin').some((coin) => coin.startsWith('@')), [table]);
  const spot = useQuery({ ...spotMetaQuery, enabled: hasSpot });
  const coinText = useMemo(() => spotNames(spot.data), [spot.data]);
  const time = useTime();
  const isDetailed = view !== 'open' || triggers;
  const all = useMemo(
    () => orderColumns({ coinText, time, related, digits: digitsOf(chunks), isDetailed }),
    [coinText, time, related, chunks, isDetailed],
  );
  // What openOrders does not report has no column there until it is chosen.
  const columns = useGridColumns(isDetailed ? 'orders' : 'orders-resting', all);
  const sort = useMemo(() => readSort(choices.sort, all), [choices.sort, all]);
  const filter = useMemo(() => filterOf(choices), [choices]);
  const rows = useMemo(() => table.view(filter, sort), [table, filter, sort]);
  const selected = useMemo(() => findRow(table, choices.row), [table, choices.row]);

  const open = useCallback((row: OrderRow) => change({ row: row.key, panel: undefined }, 'push'), [change]);
  const onSort = useCallback((next: GridSort | undefined) => change({ sort: sortText(next) }), [change]);
  const stale = useMemo(
    () => new Map(asked.flatMap(({ ask, state }) => (state.kind === 'stale' ? [[ask.id, state.error] as const] : []))),
    [asked],
  );
  const stateOf = useCallback(
    (row: OrderRow): RowState => {
      const error = stale.get(`${row.address}/${row.call}/${row.dex}`);
      if (error === undefined) return OK;
      return {
        kind: 'stale',
        text: `older answer; the last try failed: ${error instanceof Error ? error.message : ''}`,
      };
    },
    [stale],
  );

  const credits = creditsOf(asks);
  const commands = useMemo(
    () => [
      { id: 'orders refresh', text: 'Refresh orders', hint: counted(credits, 'credit'), run: () => refresh() },
      ...VIEWS.map((to) => ({
        id: `orders ${to}`,
        text: `Orders: ${VIEW_TEXTS[to].text}`,
        run: () => change({ show: to === 'open' ? undefined : to }),
      })),
      {
        id: 'orders statistics',
        text: 'Outcome statistics',
        run: () => change({ panel: 'statistics', row: undefined }),
      },
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- `refresh` asks for `asks`
    [credits, asks, change],
  );
  useCommands(commands);
  const labels = useWalletBook((book) => book.wallets);
  const exported = useMemo(() => {
    const label = new Map<string, string>(labels.map((wallet) => [wallet.address, wallet.label]));
    return exportColumns(coinText, ({ address }) => label.get(address) ?? '');
  }, [coinText, labels]);

  const answered = asked.filter(({ chunk }) => chunk !== undefined);
  const oldest = answered.reduce<number | undefined>(
    (at, item) => Math.min(at ?? Infinity, item.at ?? Infinity),
    undefined,
  );
  const newest = answered.reduce((at, item) => Math.max(at, item.at ?? 0), 0);
  const onTheWay = asked.filter(({ state, refreshing }) => refreshing || state.kind === 'asking').length;
  const coverages = useMemo(
    () => chunks.flatMap((chunk) => (chunk.answer.call === 'historicalOrders' ? coverageOf(chunk) : [])),
    [chunks],
  );
  const failures = asked.filter(({ state }) => state.kind === 'failed');
  const allFailed = asked.length > 0 && failures.length === asked.length ? failures[0]?.state : undefined;

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
      subject={wallets.length === 1 ? wallets[0]?.label || wallets[0]?.address : undefined}
      search={{ invalid, clean }}
      controls={
        <>
          <WalletPicker
            takes="many"
            choice={choices.w}
            onChange={(choice) => change({ w: searchableWallets(choice), row: undefined })}
          />
          <Segmented
            name="Which orders"
            value={view}
            options={VIEWS.map((value) => ({ value, ...VIEW_TEXTS[value] }))}
            onChange={(next) => change({ show: next === 'open' ? undefined : next, row: undefined })}
          />
          <SavedViews page="orders" />
          <ColumnChooser columns={columns} />
          <ExportMenu
            name={['orders', view]}
            says={`The ${counted(rows.length, 'row')} in sight, as filtered and sorted, every field.`}
            columns={exported}
            rows={() => allRows(rows)}
            facts={() => ({
              page: 'orders',
              exported: new Date().toISOString(),
              search: Object.fromEntries(new URLSearchParams(location.search)),
              calls: asked.map(({ ask, state, chunk, at }) => ({
                wallet: ask.address,
                call: ask.call,
                dex: ask.dex,
                state: state.kind,
                rows: chunk?.length ?? 0,
                answered: at === undefined ? null : new Date(at).toISOString(),
              })),
            })}
          />
          <Button
            icon={BarChart3}
            aria-label="Statistics"
            aria-pressed={choices.panel === 'statistics'}
            onClick={() =>
              change({ panel: choices.panel === 'statistics' ? undefined : 'statistics', row: undefined }, 'push')
            }
          >
            <span className="max-[1399px]:sr-only">Statistics</span>
          </Button>
        </>
      }
      state={
        <>
          {onTheWay > 0 ? (
            <output className="num text-dim">
              {wholeText(asked.length - onTheWay)} of {counted(asked.length, 'call')}
            </output>
          ) : (
            <Age at={oldest} />
          )}
          <Button
            icon={RefreshCw}
            look="plain"
            disabled={asks.length === 0 || onTheWay > 0 || waiting !== undefined}
            onClick={() => refresh()}
          >
            <span className="max-sm:sr-only">Refresh</span> <PriceTag credits={credits} />
          </Button>
        </>
      }
      notices={
        <>
          <FilterBar choices={choices} counts={rows.counts} coinText={coinText} change={change}>
            {view !== 'history' && (
              <>
                <span title="frontendOpenOrders in place of openOrders: waiting triggers, types, legs">
                  <Checkbox
                    text="With triggers"
                    checked={triggers}
                    onChange={(on) => change({ triggers: on || undefined, row: undefined })}
                  />
                </span>
                <DexFacet
                  chosen={dex ?? NO_DEXES}
                  onChange={(chosen) => change({ dex: [...chosen], row: undefined })}
                />
              </>
            )}
          </FilterBar>
          {missingGroups.length > 0 && (
            <p role="alert" className="border-b border-line bg-surface-2 px-3 py-1">
              This browser’s address book has no group {missingGroups.map((name) => `“${name}”`).join(' and ')}; its
              wallets are not asked for.
            </p>
          )}
          {spot.isError && (
            <FailedBand error={spot.error} onRetry={() => void spot.refetch()} credits={INFO_CREDITS.spotMeta} />
          )}
          <CoverageBar
            coverages={coverages}
            until={newest}
            onOpen={() => change({ panel: 'coverage', row: undefined }, 'push')}
          />
          {allFailed === undefined && <CallStates asked={asked} onRetry={refresh} />}
        </>
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
            <OrderDetails row={selected} related={related} coinText={coinText} onOpen={open} />
          </Inspector>
        ) : choices.panel === 'statistics' ? (
          <Inspector title="Outcome statistics" onClose={() => change({ panel: undefined })}>
            <StatisticsPanel table={table} view={rows} coinText={coinText} />
          </Inspector>
        ) : choices.panel === 'coverage' ? (
          <Inspector title="Coverage and freshness" onClose={() => change({ panel: undefined })}>
            <CoveragePanel asked={asked} />
          </Inspector>
        ) : undefined
      }
      status={
        <>
          <span className="num">
            {wholeText(rows.length)} of {counted(table.length, 'row')}
          </span>
          <span className="max-md:sr-only">
            Statuses and numbers as reported; outcomes derived from status, sz and origSz. Executions are not reported.
          </span>
        </>
      }
    >
      {wallets.length === 0 ? (
        <NoWallets />
      ) : allFailed?.kind === 'failed' ? (
        <Failed error={allFailed.error} onRetry={() => refresh()} credits={credits} />
      ) : waiting !== undefined && table.length === 0 ? (
        <Empty
          action={
            <Button look="primary" onClick={waiting.start}>
              Ask for them <PriceTag credits={waiting.credits} />
            </Button>
          }
        >
          The orders of {counted(wallets.length, 'wallet')} take {counted(asks.length, 'call')}. The page asks by itself
          for up to {counted(UNASKED_CREDITS_MAX, 'credit')}, no more; fewer wallets can be chosen above.
        </Empty>
      ) : answered.length === 0 ? (
        <Loading what="The orders are" />
      ) : (
        <>
          {waiting !== undefined && (
            <p className="flex flex-wrap items-center gap-3 border-b border-line bg-surface-2 px-3 py-1">
              Some wallets have not been asked yet.
              <Button look="plain" onClick={waiting.start}>
                Ask for them <PriceTag credits={waiting.credits} />
              </Button>
            </p>
          )}
          <Grid
            name="Orders"
            columns={columns.shown}
            rows={rows}
            keyOf={keyOf}
            stateOf={stateOf}
            sort={sort}
            onSort={onSort}
            selected={selected?.key}
            onOpen={open}
            childrenOf={legRows}
            empty={
              isFiltered(choices) && table.length > 0 ? (
                <Empty
                  action={
                    <Button look="plain" onClick={() => change(NO_FILTERS)}>
                      Clear filters
                    </Button>
                  }
                >
                  None of the {counted(table.length, 'row')} passes the filters.
                </Empty>
              ) : (
                <NoOrders view={view} wallets={wallets.length} onHistory={() => change({ show: 'history' })} />
              )
            }
          />
        </>
      )}
    </Page>
  );
}

const OK: RowState = { kind: 'ok' };
const NO_DEXES: readonly string[] = [];

function NoWallets() {
  const openBook = useWalletsWindow((state) => state.open);
  return (
    <Empty
      action={
        <Button look="primary" onClick={openBook}>
          Open the address book
        </Button>
      }
    >
      Orders are read wallet by wallet. Choose one above, or add wallets to the address book.
    </Empty>
  );
}

interface NoOrdersProps {
  readonly view: OrdersView;
  readonly wallets: number;
  readonly onHistory: () => void;
}

function NoOrders({ view, wallets, onHistory }: NoOrdersProps) {
  const whose = wallets === 1 ? 'This wallet has' : 'These wallets have';
  return view === 'open' ? (
    <Empty
      action={
        <Button look="plain" onClick={onHistory}>
          Show the history
        </Button>
      }
    >
      {whose} no resting order. Waiting triggers are not among them; past orders are in the history.
    </Empty>
  ) : (
    <Empty>{whose} never sent an order that the exchange still reports.</Empty>
  );
}

interface DexFacetProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Builder dexes to ask for open orders beside the canonical one; a call more for each wallet. */
function DexFacet({ chosen, onChange }: DexFacetProps) {
  const coins = useQuery(coinsQuery).data?.coins;
  const options = useMemo(() => {
    const dexes = (coins ?? []).flatMap(({ coin }) => (coin.includes(':') ? coin.slice(0, coin.indexOf(':')) : []));
    return [...new Set(dexes)].map((value) => ({ value, text: `${value}, +1 credit a wallet` }));
  }, [coins]);
  return <Facet name="Builder dexes" options={options} chosen={chosen} onChange={onChange} />;
}

/** The widest digits of each column of decimals. */
function digitsOf(chunks: readonly OrderChunk[]) {
  const most = (column: DecimalColumn) => ({
    whole: chunks.reduce((found, { decimals }) => Math.max(found, decimals[column].whole), 0),
    decimals: chunks.reduce((found, { decimals }) => Math.max(found, decimals[column].scale), 0),
  });
  return { limitPx: most('limitPx'), sz: most('sz'), origSz: most('origSz') };
}

/** The choice as the address carries it: `change` joins lists by commas, and a group's own comma is written `%2C`. */
function searchableWallets(choice: WalletChoice | undefined): string[] | undefined {
  return choice === undefined ? undefined : walletsText(choice)?.split(',');
}

function* allRows(rows: { readonly length: number; at(index: number): OrderRow | undefined }): Generator<OrderRow> {
  for (let index = 0; index < rows.length; index++) {
    const row = rows.at(index);
    if (row !== undefined) yield row;
  }
}

/** The row that a key of the address names; legs are found below their order. */
function findRow(table: OrderTable, key: string | undefined): OrderRow | undefined {
  if (key === undefined) return undefined;
  const [address, call, name = ''] = key.split('/');
  const oid = Number.parseInt(name.slice(name.indexOf(':') + 1), 10);
  for (const chunk of table.chunks) {
    if (chunk.answer.address !== address || chunk.answer.call !== call) continue;
    for (const at of chunk.sameOid(oid)) {
      const found = ofKey(chunk.row(at), key);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function ofKey(row: OrderRow | undefined, key: string): OrderRow | undefined {
  if (row === undefined || row.key === key) return row;
  if (!key.startsWith(`${row.key}/`)) return undefined;
  for (const leg of legRows(row)) {
    const found = ofKey(leg, key);
    if (found !== undefined) return found;
  }
  return undefined;
}
