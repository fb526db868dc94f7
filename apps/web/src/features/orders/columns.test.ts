// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { copiedText } from '../../ui/table/table-column.ts';
import type { TimeTexts } from '../../ui/use-time.ts';
import { orderColumns } from './columns.tsx';
import { OrderTable } from './order-table.ts';
import { entry, rowsOf } from './test-support/orders.ts';
import type { OrderFills } from './use-fills.ts';

const time: TimeTexts = { zone: 'utc', day: String, clock: String, second: String, moment: String, zoneAt: String };
/** With amounts as long as the demo's. */
const amount = '1234567.12345';
const table = new OrderTable(rowsOf([entry('open', { limitPx: amount, sz: amount, origSz: amount })]));
/** Width of a scroll bar, px. */
const BAR = 15;

function columnsOf(hasStatus: boolean, texts = time, isNarrow = false) {
  return orderColumns({ coinText: String, time: texts, table, hasStatus, isNarrow });
}

const BEFORE = ['coin', 'side', 'limitPx', 'origSz'];
const AFTER = ['wallet', 'placed', 'oid'];

it.each([
  [false, 1440, [...BEFORE, 'place', 'outcome', 'type', ...AFTER]],
  [true, 1440, [...BEFORE, 'status', 'outcome', ...AFTER]],
  [false, 1920, [...BEFORE, 'sz', 'place', 'share', 'outcome', 'type', 'tif', 'condition', 'ro', ...AFTER]],
  [true, 1920, [...BEFORE, 'sz', 'share', 'status', 'outcome', 'type', 'wallet', 'placed', 'lived', 'oid']],
  [
    false,
    2400,
    [...BEFORE, 'sz', 'place', 'share', 'outcome', 'type', 'tif', 'condition', 'ro', 'tpsl', 'legs', ...AFTER, 'cloid'],
  ],
  [
    true,
    2400,
    [
      ...BEFORE,
      'sz',
      'share',
      'status',
      'outcome',
      'type',
      'tif',
      'condition',
      'ro',
      'wallet',
      'placed',
      'updated',
      'lived',
      'oid',
    ],
  ],
])('status reported: %s; fits and fills a window of %i px with its columns', (hasStatus, window, ids) => {
  const shown = columnsOf(hasStatus).filter(
    ({ hidden, shownFrom = Number.POSITIVE_INFINITY }) => hidden !== true || shownFrom <= window,
  );
  expect(shown.map(({ id }) => id)).toEqual(ids);
  const width = shown.reduce((sum, { width = 0 }) => sum + width, 0);
  expect(width).toBeLessThanOrEqual(window - BAR);
  expect(width).toBeGreaterThan(0.85 * window);
});

it.each([
  // The side is in the column of the price.
  ['an open order with its place', false, 360, ['coin', 'limitPx', 'origSz', 'place']],
  ['an order of the history', true, 380, ['coin', 'side', 'limitPx', 'origSz']],
])('on a phone, shows %s', (_, hasStatus, window, ids) => {
  const narrow = columnsOf(hasStatus, time, true)
    .filter(({ narrow, fixed }) => narrow || fixed)
    .slice(0, ids.length);
  expect(narrow.map(({ id }) => id)).toEqual(ids);
  const widths = narrow.map(({ width = 0 }) => width);
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(window);
});

it('shows the zone of moments: UTC in the heading, local zones in every cell', () => {
  const moment = 1_778_002_736_649;
  const placed = (texts: TimeTexts) => columnsOf(true, texts).find(({ id }) => id === 'placed');
  const [row] = rowsOf([entry('open', { timestamp: moment })]);
  expect(placed(time)?.title).toBe('Placed (UTC)');
  const local = placed({ ...time, zone: 'local', moment: (at) => `${at} +02:00` });
  expect(local?.title).toBe('Placed');
  expect(row && local?.cell?.(row)).toBe(`${moment} +02:00`);
});

it('groups the digits of fills and fees, not those in the names of tokens, and copies them as reported', () => {
  const fills: OrderFills = {
    count: 2,
    sz: '1234567.10',
    avgPx: '81307.0',
    fees: [
      ['X1000', '-4321.5'],
      ['USDC', '0.30'],
    ],
  };
  const fillsOf = () => ({ kind: 'filled', fills }) as const;
  const columns = orderColumns({ coinText: String, time, table, fillsOf, hasStatus: true, isNarrow: false });
  const [row = never()] = rowsOf([entry('filled')]);
  const cells = ['filled', 'avgPx', 'fee'].map((id) => columns.find((column) => column.id === id) ?? never());
  const shown = ['1,234,567.10', '81,307.0', '−4,321.5 X1000, 0.30 USDC'];
  expect(cells.map((column) => column.cell?.(row))).toEqual(shown);
  expect(
    cells.map((column) => column.text?.(row)),
    'so that the columns are as wide',
  ).toEqual(shown);
  expect(cells.map((column) => copiedText(column, row))).toEqual(['1234567.10', '81307.0', '-4321.5 X1000, 0.30 USDC']);
});

it('copies no dash, and nothing of its explanation', () => {
  const [row = never()] = rowsOf([entry('open', { cloid: null, orderType: undefined })]);
  const copied = columnsOf(false).flatMap((column) => copiedText(column, row));
  expect(copied.join(' ')).not.toMatch(/[–—]|Not reported/);
});

function never(): never {
  throw new Error('not there');
}
