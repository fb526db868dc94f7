import { useCallback, useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import { counted, wholeText } from '../../ui/format.ts';
import { Empty, Failed, Loading, NotLoaded } from '../../ui/page/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { type RowState, sortText, type TableSort } from '../../ui/table/table-column.ts';
import { NoWallets } from '../../wallets/no-wallets.tsx';
import { isFiltered, NO_FILTERS } from './choices.ts';
import { legRows, type OrderRow } from './order-rows.ts';
import type { OrdersView } from './search.ts';
import { creditsOf } from './use-order-calls.ts';
import type { Orders } from './use-orders.ts';

const keyOf = ({ key }: OrderRow) => key;
const OK: RowState = { kind: 'ok' };

/** The grid of orders; without orders, the reason and what to do about it. */
export function OrdersGrid({ orders, onOpen }: { readonly orders: Orders; readonly onOpen: (row: OrderRow) => void }) {
  const { choices, change, view, wallets, asks, asked, waiting, prices, refresh, loaded, table } = orders;
  const { columns, sort, rows, selected } = orders;
  const onSort = useCallback((next: TableSort | undefined) => change({ sort: sortText(next) }), [change]);
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
        text: `earlier data; the last call failed: ${error instanceof Error ? error.message : ''}`,
      };
    },
    [stale],
  );

  const failed = failureOfAll(asked);
  const hasLegs = useMemo(() => table.rows.some((row) => legRows(row).length > 0), [table]);
  return (
    <>
      {wallets.length === 0 ? (
        <NoWallets />
      ) : failed !== undefined ? (
        <Failed error={failed.error} onRetry={() => refresh()} credits={creditsOf(asks)} />
      ) : waiting !== undefined && table.rows.length === 0 ? (
        <NotLoaded action="Load orders" credits={waiting.credits} onLoad={waiting.start}>
          Loading the orders of {counted(wallets.length, 'wallet')} takes {counted(asks.length, 'call')}, more than the
          page loads automatically. Select fewer wallets above, or change the limit under Appearance.
        </NotLoaded>
      ) : loaded === 0 ? (
        <Loading
          what={`orders: ${wholeText(asked.filter(({ at }) => at !== undefined).length)} of ${counted(asked.length, 'response')}`}
        />
      ) : (
        <>
          {waiting !== undefined && (
            <p className="flex flex-wrap items-center gap-3 border-b border-line bg-surface-2 px-3 py-1">
              Some wallets have not been loaded yet.
              <Button look="plain" price={waiting.credits} onClick={waiting.start}>
                Load orders
              </Button>
            </p>
          )}
          <DataTable
            name="Orders"
            columns={columns.shown}
            rows={rows}
            keyOf={keyOf}
            stateOf={stateOf}
            sort={sort}
            onSort={onSort}
            selected={selected?.key}
            onOpen={onOpen}
            {...(hasLegs ? { childrenOf: legRows } : {})}
            empty={
              isFiltered(choices) && table.rows.length > 0 ? (
                <Empty
                  action={
                    <Button look="plain" onClick={() => change(NO_FILTERS)}>
                      Clear filters
                    </Button>
                  }
                >
                  None of the {counted(table.rows.length, 'row')} match the filters.
                </Empty>
              ) : (
                <Empty
                  action={
                    view === 'open' && (
                      <Button
                        look="plain"
                        price={prices.history || undefined}
                        onClick={() => change({ show: 'history' })}
                      >
                        Show the history
                      </Button>
                    )
                  }
                >
                  {noOrdersText({ view, wallets: wallets.length, isComplete: loaded === asked.length })}
                </Empty>
              )
            }
          />
        </>
      )}
    </>
  );
}

/** The error if every call failed without an earlier response. */
export function failureOfAll(asked: Orders['asked']): { readonly error: unknown } | undefined {
  const failures = asked.flatMap(({ state }) => (state.kind === 'failed' ? [state] : []));
  return failures.length === asked.length ? failures[0] : undefined;
}

interface LoadedOrders {
  readonly view: OrdersView;
  readonly wallets: number;
  /** Whether every call has a response in the table. */
  readonly isComplete: boolean;
}

/** The text of the outcome statistics for a view without any order of the history. */
export function noOutcomesText(view: OrdersView, isFiltered: boolean): string {
  if (view === 'open') return 'Outcomes come from the history, which is not in view. Choose “History” or “All”.';
  return isFiltered
    ? 'No order of the history matches the search and the filters. Clear them to see outcomes.'
    : 'Outcomes come from the history, and none of its orders are in view.';
}

/** The text for a table without any order. How many calls have come, or failed, is said above it. */
export function noOrdersText({ view, wallets, isComplete }: LoadedOrders): string {
  const whose = wallets === 1 ? 'this wallet' : 'these wallets';
  if (view !== 'open') return isComplete ? `The exchange reports no orders for ${whose}.` : 'No orders so far.';
  const found = isComplete ? `No open orders for ${whose}.` : 'No open orders so far.';
  return `${found} Past orders are in the history.`;
}
