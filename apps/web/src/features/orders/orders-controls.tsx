import { BarChart3, ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import type { ExportColumn } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted } from '../../ui/format.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { ColumnChooser } from '../../ui/table/column-chooser.tsx';
import { useWalletBook } from '../../wallets/wallet-book.ts';
import { WalletPicker } from '../../wallets/wallet-picker.tsx';
import type { OrderRow } from './order-rows.ts';
import { valueOf } from './order-table.ts';
import { goneSize, shareText } from './outcome.ts';
import { asSent, childrenOf, flagOf, textOf } from './reported-order.ts';
import { rowOutcome } from './row-outcome.ts';
import { SavedViews } from './saved-views.tsx';
import { type OrdersView, VIEWS } from './search.ts';
import { feeText, type RowFills } from './use-fills.ts';
import type { Orders } from './use-orders.ts';

export const VIEW_TEXTS: Readonly<Record<OrdersView, { readonly text: string; readonly hint: string }>> = {
  open: { text: 'Open', hint: 'Resting orders and waiting triggers: 1 credit per wallet and dex' },
  history: {
    text: 'History',
    hint: 'Up to 2,000 most recent orders of each wallet, open and final: 1 credit per wallet',
  },
  all: { text: 'All', hint: 'Rows from both calls, each marked with its call: 2 credits per wallet' },
};

export function OrdersControls({ orders }: { readonly orders: Orders }) {
  const { choices, change, choice, view, prices, columns, rows, asked, fills, coinText, opening } = orders;
  const labels = useWalletBook((book) => book.wallets);
  const exported = useMemo(() => {
    const label = new Map<string, string>(labels.map((wallet) => [wallet.address, wallet.label]));
    return exportColumns(coinText, ({ address }) => label.get(address) ?? '', fills.fillsOf);
  }, [coinText, labels, fills.fillsOf]);
  const areFillsShown = fills.fillsOf !== undefined;
  const toggleFills = () => {
    if (!areFillsShown) fills.start();
    change({ fills: areFillsShown ? undefined : true });
  };

  return (
    <>
      <WalletPicker choice={choice} onChange={(w) => change({ w, row: undefined })} />
      <Segmented
        name="Orders to show"
        value={view}
        options={VIEWS.map((value) => ({ value, ...VIEW_TEXTS[value], credits: prices[value] }))}
        onChange={(next) => change({ show: next === 'open' ? undefined : next, row: undefined })}
      />
      <SavedViews page="orders" />
      <ColumnChooser columns={columns} />
      <ExportMenu
        name={['orders', view]}
        description={`The ${counted(rows.length, 'row')} in view, as filtered and sorted, with every field.`}
        columns={exported}
        rows={() => rows}
        facts={() => ({
          page: 'orders',
          exported: new Date().toISOString(),
          search: Object.fromEntries(new URLSearchParams(location.search)),
          calls: asked.map(({ ask, state, rows: own, at }) => ({
            wallet: ask.address,
            call: ask.call,
            dex: ask.dex,
            state: state.kind,
            rows: own?.length ?? 0,
            answered: at === undefined ? null : new Date(at).toISOString(),
          })),
        })}
      />
      <Button
        icon={BarChart3}
        aria-label="Statistics"
        aria-pressed={choices.panel === 'statistics'}
        onClick={() =>
          choices.panel === 'statistics'
            ? change({ panel: undefined })
            : change({ panel: 'statistics', row: undefined }, opening)
        }
      >
        <span className="max-[1399px]:sr-only">Statistics</span>
      </Button>
      <Button
        icon={ListChecks}
        price={areFillsShown ? undefined : fills.price || undefined}
        aria-pressed={areFillsShown}
        title="Filled size and value, average price and fees of each order, as its fills report them"
        disabled={fills.isLoading}
        onClick={toggleFills}
      >
        <span className="max-[1399px]:sr-only">Fills</span>
      </Button>
    </>
  );
}

/** A field of an order under another name: its text, or its flag. */
const reportedText = (name: string, field: string) => ({
  name,
  field,
  text: ({ order }: OrderRow) => textOf(order, field),
});
const reportedFlag = (name: string, field: string) => ({
  name,
  field,
  value: ({ order }: OrderRow) => flagOf(order, field),
});

/**
 * Every field of an order as reported, and the values the page derives from it. Unknown fields, and values that cannot be read,
 * are in `other_fields`, as JSON.
 */
export function exportColumns(
  coinText: (coin: string) => string,
  walletLabel: (row: OrderRow) => string,
  fillsOf?: (row: OrderRow) => RowFills,
): readonly ExportColumn<OrderRow>[] {
  const filled = (row: OrderRow) => {
    const found = fillsOf?.(row);
    return found?.kind === 'filled' ? found.fills : undefined;
  };
  const ofFills: readonly ExportColumn<OrderRow>[] = [
    { name: 'filled_sz', value: (row) => filled(row)?.sz },
    { name: 'filled_value', value: (row) => filled(row)?.value },
    { name: 'avg_px', value: (row) => filled(row)?.avgPx },
    { name: 'fees', text: (row) => feeText(filled(row)) },
  ];
  const columns: readonly (ExportColumn<OrderRow> & { readonly field?: string })[] = [
    { name: 'wallet', id: ({ address }) => address },
    { name: 'wallet_label', text: (row) => walletLabel(row) },
    { name: 'call', text: ({ call }) => call },
    { name: 'dex', text: ({ dex }) => dex },
    reportedText('coin', 'coin'),
    { name: 'coin_name', text: ({ order }) => coinText(order.coin) },
    reportedText('side', 'side'),
    { name: 'limit_px', field: 'limitPx', value: ({ order }) => order.limitPx },
    { name: 'orig_sz', field: 'origSz', value: ({ order }) => order.origSz },
    { name: 'sz', field: 'sz', value: ({ order }) => order.sz },
    { name: 'value', value: ({ order }) => valueOf(order, 'origSz') },
    { name: 'remaining_value', value: ({ order }) => valueOf(order, 'sz') },
    { name: 'gone_sz', value: ({ order }) => goneSize(order.sz, order.origSz) },
    { name: 'gone_share', text: ({ order }) => shareText(order.sz, order.origSz) },
    ...(fillsOf === undefined ? [] : ofFills),
    { name: 'status', text: ({ entry }) => entry.status },
    { name: 'outcome', text: (row) => rowOutcome(row, fillsOf?.(row)) },
    { name: 'placed', field: 'timestamp', moment: ({ order }) => order.timestamp },
    { name: 'status_since', moment: ({ entry }) => entry.statusTimestamp },
    reportedText('order_type', 'orderType'),
    reportedText('tif', 'tif'),
    reportedFlag('reduce_only', 'reduceOnly'),
    reportedFlag('is_trigger', 'isTrigger'),
    reportedText('trigger_condition', 'triggerCondition'),
    reportedText('trigger_px', 'triggerPx'),
    reportedFlag('is_position_tpsl', 'isPositionTpsl'),
    { name: 'oid', field: 'oid', id: ({ order }) => order.oid },
    { name: 'cloid', field: 'cloid', id: ({ order }) => textOf(order, 'cloid') },
    { name: 'children', field: 'children', value: ({ order }) => childrenOf(order).length },
    { name: 'children_json', text: ({ order }) => JSON.stringify(order.children) },
  ];
  const written = new Set(columns.map(({ field }) => field));
  return [...columns, { name: 'other_fields', text: (row) => otherFields(row, written) }];
}

const ENTRY_FIELDS: ReadonlySet<string> = new Set(['order', 'status', 'statusTimestamp']);

function otherFields({ order, entry }: OrderRow, written: ReadonlySet<string | undefined>) {
  const others = [
    ...Object.entries(asSent(order)).filter(([name]) => !written.has(name) || order[name] === undefined),
    ...Object.entries(entry).filter(([name]) => !ENTRY_FIELDS.has(name)),
  ];
  return others.length === 0 ? null : JSON.stringify(Object.fromEntries(others));
}
