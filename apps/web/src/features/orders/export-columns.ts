import { count, decimal, type ExportColumn, flag, id, text } from '../../ui/export/csv.ts';
import type { OrderRow } from './order-chunk.ts';
import { goneSize, outcomeOf, shareText } from './outcome.ts';
import { childrenOf, flagOf, textOf } from './reported-order.ts';

const reportedFlag = (field: string) => (row: OrderRow) => {
  const value = flagOf(row.order, field);
  return value === undefined ? null : flag(value);
};

const reportedText = (field: string) => (row: OrderRow) => text(textOf(row.order, field));

/** Fields that have a column of their own. */
const WRITTEN: ReadonlySet<string> = new Set([
  'coin',
  'side',
  'limitPx',
  'sz',
  'origSz',
  'oid',
  'cloid',
  'timestamp',
  'orderType',
  'tif',
  'reduceOnly',
  'isTrigger',
  'triggerCondition',
  'triggerPx',
  'isPositionTpsl',
  'children',
]);

/** Every field of an order as reported, and what the page derives of it. Fields we do not know are in `other_fields`, as JSON. */
export function exportColumns(
  coinText: (coin: string) => string,
  walletLabel: (row: OrderRow) => string,
): readonly ExportColumn<OrderRow>[] {
  return [
    { name: 'wallet', value: ({ address }) => id(address) },
    { name: 'wallet_label', value: (row) => text(walletLabel(row)) },
    { name: 'call', value: ({ call }) => text(call) },
    { name: 'dex', value: ({ dex }) => text(dex) },
    { name: 'coin', value: ({ order }) => text(order.coin) },
    { name: 'coin_name', value: ({ order }) => text(coinText(order.coin)) },
    { name: 'side', value: ({ order }) => text(order.side) },
    { name: 'limit_px', value: ({ order }) => decimal(order.limitPx) },
    { name: 'orig_sz', value: ({ order }) => decimal(order.origSz) },
    { name: 'sz', value: ({ order }) => decimal(order.sz) },
    { name: 'gone_sz', value: ({ order }) => decimal(goneSize(order.sz, order.origSz)) },
    { name: 'gone_share', value: ({ order }) => text(shareText(order.sz, order.origSz)) },
    { name: 'status', value: ({ entry }) => text(entry.status) },
    { name: 'outcome', value: ({ call, entry, later }) => text(outcomeOf(call, entry, later).text) },
    { name: 'placed', moment: ({ order }) => order.timestamp },
    { name: 'status_since', moment: ({ entry }) => entry.statusTimestamp ?? null },
    { name: 'order_type', value: reportedText('orderType') },
    { name: 'tif', value: reportedText('tif') },
    { name: 'reduce_only', value: reportedFlag('reduceOnly') },
    { name: 'is_trigger', value: reportedFlag('isTrigger') },
    { name: 'trigger_condition', value: reportedText('triggerCondition') },
    { name: 'trigger_px', value: reportedText('triggerPx') },
    { name: 'is_position_tpsl', value: reportedFlag('isPositionTpsl') },
    { name: 'oid', value: ({ order }) => id(order.oid) },
    { name: 'cloid', value: ({ order }) => id(textOf(order, 'cloid')) },
    { name: 'children', value: ({ order }) => count(childrenOf(order).length) },
    { name: 'children_json', value: ({ order }) => (order.children === undefined ? null : json(order.children)) },
    { name: 'other_fields', value: otherFields },
  ];
}

const ENTRY_FIELDS: ReadonlySet<string> = new Set(['order', 'status', 'statusTimestamp']);

function otherFields({ order, entry }: OrderRow) {
  const others = [
    ...Object.entries(order).filter(([name]) => !WRITTEN.has(name)),
    ...Object.entries(entry).filter(([name]) => !ENTRY_FIELDS.has(name)),
  ];
  return others.length === 0 ? null : json(Object.fromEntries(others));
}

const json = (value: unknown) => text(JSON.stringify(value));
