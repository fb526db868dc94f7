import { count, decimal, type ExportColumn, type ExportValue, flag, id, text } from '../../ui/export/csv.ts';
import { feeText, type OrderFills, type RowFills } from './fills.ts';
import type { OrderRow } from './order-rows.ts';
import { goneSize, outcomeText, shareText } from './outcome.ts';
import { asSent, childrenOf, flagOf, type ReportedOrder, textOf } from './reported-order.ts';

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
