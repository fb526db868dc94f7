import { BarChart3, ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import { count, decimal, type ExportColumn, type ExportValue, flag, id, text } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted } from '../../ui/format.ts';
import { PriceTag } from '../../ui/price-tag.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ColumnChooser } from '../../ui/table/column-chooser.tsx';
import { useWalletBook } from '../../wallets/wallet-book.ts';
import { WalletPicker } from '../../wallets/wallet-picker.tsx';
import type { OrderRow } from './order-rows.ts';
import { goneSize, outcomeText, shareText } from './outcome.ts';
import { asSent, childrenOf, flagOf, type ReportedOrder, textOf } from './reported-order.ts';
import { SavedViews } from './saved-views.tsx';
import { type OrdersView, VIEWS } from './search.ts';
import { feeText, type OrderFills, type RowFills } from './use-fills.ts';
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
        says={`The ${counted(rows.length, 'row')} in view, as filtered and sorted, with every field.`}
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
        aria-pressed={areFillsShown}
        title="Filled size, average price and fees of each order, as its fills report them"
        disabled={fills.isLoading}
        onClick={toggleFills}
      >
        <span className="max-[1399px]:sr-only">Fills</span>{' '}
        {!areFillsShown && fills.price > 0 && <PriceTag credits={fills.price} />}
      </Button>
    </>
  );
}

type Write = (order: ReportedOrder, field: string) => ExportValue;

const asText: Write = (order, field) => text(textOf(order, field));
const asDecimal: Write = (order, field) => decimal(textOf(order, field));
const asFlag: Write = (order, field) => {
  const value = flagOf(order, field);
  return value === undefined ? null : flag(value);
};

const reported = (name: string, field: string, write: Write) => ({
  name,
  field,
  value: ({ order }: OrderRow) => write(order, field),
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
  const filled = (name: string, textOf: (fills: OrderFills) => ExportValue) => {
    const value = (row: OrderRow) => {
      const found = fillsOf?.(row);
      return found?.kind === 'filled' ? textOf(found.fills) : null;
    };
    return fillsOf === undefined ? [] : [{ name, value }];
  };
  const columns: readonly (ExportColumn<OrderRow> & { readonly field?: string })[] = [
    { name: 'wallet', value: ({ address }) => id(address) },
    { name: 'wallet_label', value: (row) => text(walletLabel(row)) },
    { name: 'call', value: ({ call }) => text(call) },
    { name: 'dex', value: ({ dex }) => text(dex) },
    reported('coin', 'coin', asText),
    { name: 'coin_name', value: ({ order }) => text(coinText(order.coin)) },
    reported('side', 'side', asText),
    reported('limit_px', 'limitPx', asDecimal),
    reported('orig_sz', 'origSz', asDecimal),
    reported('sz', 'sz', asDecimal),
    { name: 'gone_sz', value: ({ order }) => decimal(goneSize(order.sz, order.origSz)) },
    { name: 'gone_share', value: ({ order }) => text(shareText(order.sz, order.origSz)) },
    ...filled('filled_sz', ({ sz }) => decimal(sz)),
    ...filled('avg_px', ({ avgPx }) => decimal(avgPx)),
    ...filled('fees', (fills) => text(feeText(fills))),
    { name: 'status', value: ({ entry }) => text(entry.status) },
    { name: 'outcome', value: ({ call, entry, later }) => text(outcomeText(call, entry, later)) },
    { name: 'placed', field: 'timestamp', moment: ({ order }) => order.timestamp ?? null },
    { name: 'status_since', moment: ({ entry }) => entry.statusTimestamp ?? null },
    reported('order_type', 'orderType', asText),
    reported('tif', 'tif', asText),
    reported('reduce_only', 'reduceOnly', asFlag),
    reported('is_trigger', 'isTrigger', asFlag),
    reported('trigger_condition', 'triggerCondition', asText),
    reported('trigger_px', 'triggerPx', asText),
    reported('is_position_tpsl', 'isPositionTpsl', asFlag),
    { name: 'oid', field: 'oid', value: ({ order }) => id(order.oid) },
    { name: 'cloid', field: 'cloid', value: ({ order }) => id(textOf(order, 'cloid')) },
    { name: 'children', field: 'children', value: ({ order }) => count(childrenOf(order).length) },
    { name: 'children_json', value: ({ order }) => (order.children === undefined ? null : json(order.children)) },
  ];
  const written = new Set(columns.map(({ field }) => field));
  return [...columns, { name: 'other_fields', value: (row) => otherFields(row, written) }];
}

const ENTRY_FIELDS: ReadonlySet<string> = new Set(['order', 'status', 'statusTimestamp']);

function otherFields({ order, entry }: OrderRow, written: ReadonlySet<string | undefined>) {
  const others = [
    ...Object.entries(asSent(order)).filter(([name]) => !written.has(name) || order[name] === undefined),
    ...Object.entries(entry).filter(([name]) => !ENTRY_FIELDS.has(name)),
  ];
  return others.length === 0 ? null : json(Object.fromEntries(others));
}

const json = (value: unknown) => text(JSON.stringify(value));
