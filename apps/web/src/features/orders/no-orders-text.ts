import { counted, wholeText } from '../../ui/format.ts';
import type { OrdersView } from './search.ts';

interface LoadedOrders {
  readonly view: OrdersView;
  readonly wallets: number;
  readonly calls: number;
  readonly loaded: number;
}

/** The text of the outcome statistics for a view without any order of the history. */
export function noOutcomesText(view: OrdersView, isFiltered: boolean): string {
  if (view === 'open') return 'Outcomes come from the history, which is not in view. Choose “History” or “All”.';
  return isFiltered
    ? 'No order of the history matches the search and the filters. Clear them to see outcomes.'
    : 'Outcomes come from the history, and none of its orders are in view.';
}

/** The text for a table without any order, including what is still unknown. */
export function noOrdersText({ view, wallets, calls, loaded }: LoadedOrders): string {
  const whose = wallets === 1 ? 'this wallet' : 'these wallets';
  const sofar = `${wholeText(loaded)} of ${counted(calls, 'call')} complete`;
  if (view !== 'open') {
    return loaded < calls ? `No orders so far: ${sofar}.` : `The exchange reports no orders for ${whose}.`;
  }
  const found = loaded < calls ? `No open orders so far: ${sofar}.` : `No open orders for ${whose}.`;
  return `${found} Past orders are in the history.`;
}
