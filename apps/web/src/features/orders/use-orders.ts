import { INFO_CREDITS } from '@l4desk/protocol';
import { useDeferredValue, useMemo } from 'react';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import { useSpotNames } from '../../api/use-spot-names.ts';
import { PHONE, useMedia } from '../../hooks/use-media.ts';
import { type ChangeHow, usePageSearch } from '../../state/page-search.ts';
import { readSort } from '../../ui/table/table-column.ts';
import { useTableColumns } from '../../ui/table/use-table-columns.ts';
import { useTime } from '../../ui/use-time.ts';
import { useChosenWallets, walletChoiceOf } from '../../wallets/wallet-choice.ts';
import { filterOf, refusedOf, withoutReversedDays } from './choices.ts';
import { orderColumns } from './columns.tsx';
import { FACET_IDS } from './facets.ts';
import { type DecimalColumn, legRows, type OrderChunk, type OrderRow } from './order-chunk.ts';
import { OrderTable, OrderView } from './order-table.ts';
import { Related } from './related.ts';
import { type OrdersView, ordersSearch, VIEWS } from './search.ts';
import { useGathered } from './use-gathered.ts';
import { asksFor, useOrderCalls } from './use-order-calls.ts';
import { useSorted } from './use-sorted.ts';

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
  const { asked, waiting, priceOf, refresh } = useOrderCalls(asks);
  const prices = useMemo(
    () => Object.fromEntries(VIEWS.map((of) => [of, priceOf(asksOf(of))])) as Record<OrdersView, number>,
    // oxlint-disable-next-line react/exhaustive-deps -- a response that came changes the price
    [asksOf, priceOf, asked],
  );

  const latest = useMemo(() => asked.flatMap(({ chunk }) => chunk ?? []), [asked]);
  const isOnTheWay = asked.some(({ state, refreshing }) => state.kind === 'asking' || refreshing);
  const chunks = useDeferredValue(useGathered(latest, isOnTheWay, asks));
  const table = useMemo(() => new OrderTable(chunks), [chunks]);
  const related = useMemo(() => new Related(chunks), [chunks]);
  const hasSpot = useMemo(() => [...table.valuesOf('coin')].some((coin) => coin.startsWith('@')), [table]);
  const mayAsk = useAutoLoadLimit() >= INFO_CREDITS.spotMeta;
  const { query: spot, coinText } = useSpotNames(hasSpot && mayAsk);
  const time = useTime();
  const hasStatus = view !== 'open';
  const isNarrow = useMedia(PHONE);
  const all = useMemo(
    () => orderColumns({ coinText, time, related, digits: digitsOf(chunks), hasStatus, isNarrow }),
    [coinText, time, related, chunks, hasStatus, isNarrow],
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
  const rows = useMemo(() => new OrderView(sorted, filter), [sorted, filter]);
  const facets = useMemo(
    () => FACET_IDS.filter((facet) => table.valuesOf(facet).size > 1 || filter.facets[facet] !== undefined),
    [table, filter],
  );
  const selected = useMemo(() => findRow(table, choices.row), [table, choices.row]);
  // Back closes the inspector, whatever was looked at in it.
  const opening: ChangeHow = selected !== undefined || choices.panel !== undefined ? 'replace' : 'open';
  // The state of the calls is shown at once; the table is joined later, when there is time.
  const isBehind = latest.length !== chunks.length || latest.some((chunk, at) => chunk !== chunks[at]);
  const isComplete = latest === chunks && asked.length > 0 && asked.every(({ state }) => state.kind === 'ok');
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
    chunks,
    isBehind,
    table,
    related,
    spot,
    coinText,
    opening,
    columns,
    sort,
    rows,
    facets,
    selected,
  };
}

export type Orders = ReturnType<typeof useOrders>;

/** The widest digits of each decimal column. */
function digitsOf(chunks: readonly OrderChunk[]) {
  const most = (column: DecimalColumn) => {
    const digits = chunks.map((chunk) => chunk.digits(column));
    return {
      whole: digits.reduce((found, { whole }) => Math.max(found, whole), 0),
      decimals: digits.reduce((found, { decimals }) => Math.max(found, decimals), 0),
    };
  };
  return { limitPx: most('limitPx'), sz: most('sz'), origSz: most('origSz') };
}

/** The row for a key in the address; legs are looked up below their order. */
function findRow(table: OrderTable, key: string | undefined): OrderRow | undefined {
  if (key === undefined) return undefined;
  const [address, call, name = ''] = key.split('/');
  const oid = Number.parseInt(name.slice(name.indexOf(':') + 1), 10);
  for (const chunk of table.chunks) {
    if (chunk.response.address !== address || chunk.response.call !== call) continue;
    for (const row of chunk.sameOid(oid)) {
      const found = ofKey(row, key);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function ofKey(row: OrderRow, key: string): OrderRow | undefined {
  if (row.key === key) return row;
  if (!key.startsWith(`${row.key}/`)) return undefined;
  for (const leg of legRows(row)) {
    const found = ofKey(leg, key);
    if (found !== undefined) return found;
  }
  return undefined;
}
