// @vitest-environment happy-dom
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { render } from '../../test-support/render.ts';
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

const UNFILLED = { kind: 'none', why: 'none' } as const;

function columnsOf(hasStatus: boolean, { texts = time, isNarrow = false, areFilled = false } = {}) {
  const fillsOf = areFilled ? () => UNFILLED : undefined;
  return orderColumns({ coinText: String, time: texts, table, hasStatus, isNarrow, ...(fillsOf && { fillsOf }) });
}

const words = (text: string) => text.split(' ');
const BEFORE = words('coin side limitPx origSz');

it.each([
  ['open orders', 1440, 'left place outcome wallet placed oid'],
  ['history', 1440, 'value status outcome wallet placed oid'],
  ['open orders', 1920, 'sz left place share outcome type tif ro wallet placed oid'],
  ['history', 1920, 'value sz share status outcome type wallet placed lived oid'],
  ['open orders', 2400, 'sz left place share outcome type tif condition ro tpsl wallet placed oid cloid'],
  ['history', 2400, 'value sz share status outcome type tif condition ro wallet placed updated lived oid'],
  ['open orders with fills', 1440, 'left place filled avgPx fee outcome wallet'],
  ['history with fills', 1440, 'filled filledValue avgPx fee outcome wallet placed'],
  ['open orders with fills', 1920, 'sz left place filled filledValue avgPx fee outcome wallet placed'],
  ['history with fills', 1920, 'sz filled filledValue avgPx fee status outcome wallet placed oid'],
  [
    'open orders with fills',
    2400,
    'sz left place filled filledValue avgPx fee share outcome type tif ro wallet placed oid',
  ],
  [
    'history with fills',
    2400,
    'value sz filled filledValue avgPx fee share status outcome type wallet placed lived oid',
  ],
])('%s: fits and fills a window of %i px with its columns', (view, window, ids) => {
  const shown = columnsOf(view.startsWith('history'), { areFilled: view.endsWith('fills') }).filter(
    ({ shownFrom = 0 }) => shownFrom <= window,
  );
  expect(shown.map(({ id }) => id)).toEqual([...BEFORE, ...words(ids)]);
  const width = shown.reduce((sum, { width = 0 }) => sum + width, 0);
  expect(width).toBeLessThanOrEqual(window - BAR);
  expect(width).toBeGreaterThan(0.85 * window);
});

it.each([
  // The side is in the column of the price.
  ['an open order with its place', false, 360, ['coin', 'limitPx', 'origSz', 'place']],
  ['an order of the history', true, 380, ['coin', 'limitPx', 'origSz', 'status']],
])('on a phone, shows %s', (_, hasStatus, window, ids) => {
  const narrow = columnsOf(hasStatus, { isNarrow: true })
    .filter(({ narrow, fixed }) => narrow || fixed)
    .slice(0, ids.length);
  expect(narrow.map(({ id }) => id)).toEqual(ids);
  const widths = narrow.map(({ width = 0 }) => width);
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(window);
});

it.each([
  ['81307.5', 'B buy 81,307.5'],
  [undefined, 'B buy –Not reported'],
] as const)('on a phone, shows the side and a limit price of %s', async (limitPx, says) => {
  const price = columnsOf(true, { isNarrow: true }).find(({ id }) => id === 'limitPx') ?? never();
  const [row = never()] = rowsOf([entry('open', { limitPx })]);
  const { container } = await render(createElement('div', {}, price.cell?.(row)));
  expect(container.textContent).toBe(says);
});

it('shows the zone of moments: UTC in the heading, local zones in every cell', () => {
  const moment = 1_778_002_736_649;
  const placed = (texts: TimeTexts) => columnsOf(true, { texts }).find(({ id }) => id === 'placed');
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
    value: '100378950000.005',
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

it('shows the value of an order, what remains and what is filled in hundredths, and copies it exactly', () => {
  const fills: OrderFills = { count: 1, sz: '0.2', value: '16261.4004', avgPx: '81307.002', fees: [] };
  const fillsOf = () => ({ kind: 'filled', fills }) as const;
  const columns = orderColumns({ coinText: String, time, table, fillsOf, hasStatus: true, isNarrow: false });
  const [row = never()] = rowsOf([entry('open', { limitPx: '81307.5', origSz: '0.30747', sz: '0.10747' })]);
  const cells = ['value', 'left', 'filledValue'].map((id) => columns.find((column) => column.id === id) ?? never());
  expect(cells.map((column) => column.cell?.(row))).toEqual(['24,999.62', '8,738.12', '16,261.40']);
  expect(cells.map((column) => column.hintOf?.(row))).toEqual(['24,999.617025', '8,738.117025', '16,261.4004']);
  expect(cells.map((column) => copiedText(column, row))).toEqual(['24999.617025', '8738.117025', '16261.4004']);
});

it('copies no dash, and nothing of its explanation', () => {
  const [row = never()] = rowsOf([entry('open', { cloid: null, orderType: undefined })]);
  const copied = columnsOf(false).flatMap((column) => copiedText(column, row));
  expect(copied.join(' ')).not.toMatch(/[–—]|Not reported/);
});

function never(): never {
  throw new Error('not there');
}
