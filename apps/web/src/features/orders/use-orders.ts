import { infoCredits } from '@l4desk/protocol';
import { useEffect, useMemo, useState } from 'react';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import { useSpotNames } from '../../api/use-spot-names.ts';
import { PHONE, useMedia } from '../../hooks/use-media.ts';
import { type ChangeHow, usePageSearch } from '../../state/page-search.ts';
import { useTableColumns } from '../../ui/table/column-chooser.tsx';
import { readSort, type TableSort } from '../../ui/table/table-column.ts';
import { useTime } from '../../ui/use-time.ts';
import { useChosenWallets, walletChoiceOf } from '../../wallets/wallet-choice.ts';
import { filterOf, refusedOf, withoutReversedDays } from './choices.ts';
import { orderColumns } from './columns.tsx';
import { FACET_IDS } from './facets.ts';
import type { OrderRow } from './order-rows.ts';
import { filteredRows, OrderTable } from './order-table.ts';
import { type OrdersView, ordersSearch, VIEWS } from './search.ts';
import { useFills } from './use-fills.ts';
import { useGathered } from './use-gathered.ts';
import { asksFor, useOrderCalls } from './use-order-calls.ts';

/** The state of the page, derived from its address: the calls, their responses as one table, and the rows in view. */
export function useOrders() {
  const { choices: read, invalid, change, refusing } = usePageSearch(ordersSearch);
  const choices = useMemo(() => withoutReversedDays(read), [read]);
  const view = choices.show ?? 'open';
  const choice = walletChoiceOf(choices, invalid);
  const { wallets, missingGroups } = useChosenWallets(choice);
  const addressText = wallets.map(({ address }) => address).join();
  const dexText = choices.dex?.join() ?? '';
  const asksOf = useMemo(() => {
    const addresses = wallets.map(({ address }) => address);
    const dexes = dexText === '' ? [] : dexText.split(',');
    return (of: OrdersView) => asksFor(addresses, of, dexes);
    // oxlint-disable-next-line react/exhaustive-deps -- a new label is no reason to ask a wallet again
  }, [addressText, dexText]);
  const asks = useMemo(() => asksOf(view), [asksOf, view]);
  const owners = useMemo(() => [...new Set(asks.map(({ address }) => address))], [asks]);
  const { asked, waiting, dueCredits, priceOf, refresh } = useOrderCalls(asks);
  const fills = useFills(owners, choices.fills === true, dueCredits);
  const prices = useMemo(
    () => Object.fromEntries(VIEWS.map((of) => [of, priceOf(asksOf(of))])) as Record<OrdersView, number>,
    // oxlint-disable-next-line react/exhaustive-deps -- a response that came changes the price
    [asksOf, priceOf, asked],
  );

  const latest = useMemo(() => asked.flatMap((call) => (call.rows === undefined ? [] : [call.rows])), [asked]);
  const isOnTheWay = asked.some(({ state, refreshing }) => state.kind === 'asking' || refreshing);
  const responses = useGathered(latest, isOnTheWay, asks);
  const { fillsOf } = fills;
  const table = useMemo(() => new OrderTable(responses.flat()), [responses]);
  const hasSpot = useMemo(() => table.rows.some(({ order }) => order.coin.startsWith('@')), [table]);
  const mayAsk = useAutoLoadLimit() >= infoCredits('spotMeta');
  const { query: spot, coinText } = useSpotNames(hasSpot && mayAsk);
  const time = useTime();
  const hasStatus = view !== 'open';
  const isNarrow = useMedia(PHONE);
  const all = useMemo(
    () => orderColumns({ coinText, time, table, fillsOf, hasStatus, isNarrow }),
    [coinText, time, table, fillsOf, hasStatus, isNarrow],
  );
  // Columns that open orders do not report are hidden for them until the user shows them.
  const columns = useTableColumns(hasStatus ? 'orders' : 'orders-resting', all);
  const sort = useMemo(
    () =>
      readSort(
        choices.sort,
        all.filter(({ sortable }) => sortable),
      ),
    [choices.sort, all],
  );
  const filter = useMemo(() => filterOf(choices), [choices]);
  const sorted = useSorted(table, sort, asks);
  const rows = useMemo(() => filteredRows(sorted, filter), [sorted, filter]);
  const facets = useMemo(
    () => FACET_IDS.filter((facet) => table.isVaried(facet) || filter.facets[facet] !== undefined),
    [table, filter],
  );
  const selected = useMemo(
    () => (choices.row === undefined ? undefined : table.find(choices.row)),
    [table, choices.row],
  );
  // Back closes the inspector, whatever was looked at in it.
  const opening: ChangeHow = selected !== undefined || choices.panel !== undefined ? 'replace' : 'open';
  const isComplete = latest === responses && asked.length > 0 && asked.every(({ state }) => state.kind === 'ok');
  const refused = refusedOf(read, { sort, hasRow: selected !== undefined, isComplete });
  return {
    search: refusing(refused),
    choices,
    change,
    view,
    choice,
    wallets,
    missingGroups,
    asks,
    asked,
    waiting,
    prices,
    refresh,
    fills,
    /** How many responses the table has. */
    loaded: responses.length,
    table,
    spot,
    coinText,
    opening,
    columns,
    sort,
    filter,
    sorted,
    rows,
    facets,
    selected,
  };
}

export type Orders = ReturnType<typeof useOrders>;

/** Above this many rows they are sorted in a worker: below, it takes less than 100 ms. */
const IN_WORKER_FROM = 100_000;

interface Sorted {
  readonly of: unknown;
  readonly rows: readonly OrderRow[];
}

/**
 * All rows of the table in the order of a column. While a worker sorts very many, those of before are shown, if they are `of` the
 * same request, else the table's own.
 */
function useSorted(table: OrderTable, sort: TableSort | undefined, of: unknown): readonly OrderRow[] {
  const isLarge = table.rows.length > IN_WORKER_FROM;
  const atOnce = useMemo(() => (isLarge ? undefined : table.sorted(sort)), [isLarge, table, sort]);
  const [last, setLast] = useState<Sorted>();
  useEffect(() => {
    if (!isLarge) return undefined;
    const worker = new Worker(new URL('./sort-worker.ts', import.meta.url), { type: 'module', name: 'l4-sort' });
    worker.addEventListener('message', ({ data }: MessageEvent<Uint32Array>) => {
      setLast({ of, rows: table.inOrder(data) });
      worker.terminate();
    });
    worker.postMessage({ length: table.rows.length, keys: table.keysOf(sort) });
    return () => worker.terminate();
  }, [isLarge, table, sort, of]);
  const before = last !== undefined && last.of === of ? last.rows : table.rows;
  return atOnce ?? before;
}
