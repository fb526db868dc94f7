import type { DecimalString } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { rowOutcome } from './row-outcome.ts';
import { entry, rowsOf } from './test-support/orders.ts';
import type { RowFills } from './use-fills.ts';

const ORDER = { timestamp: 1, origSz: '0.3', sz: '0.3', oid: 7 } as const;

const filled = (sz: DecimalString): RowFills => ({
  kind: 'filled',
  fills: { count: 1, sz, value: '1', avgPx: '1', fees: [] },
});

it.each([
  ['partly filled, by its fills (33.3 %)', 'nothing of it was gone', {}, '0.1'],
  ['filled, by its fills', 'all of it is filled', {}, '0.3'],
  ['partly filled, by its fills (66.7 %)', 'some of it was gone', { sz: '0.2' }, '0.2'],
  ['resting, partly filled (33.3 %)', 'its own sizes say as much', { sz: '0.2' }, '0.1'],
  ['resting, partly filled or cut (66.7 %)', 'it was cut by as much', { sz: '0.1', reduceOnly: true }, '0.2'],
  ['partly filled, by its fills (66.7 %)', 'it waited for its trigger', { isTrigger: true }, '0.2'],
  ['has fills', 'its size follows the position', { origSz: '0.0', sz: '0.0', isTrigger: true }, '0.2'],
  ['has fills', 'they are more than the order', {}, '0.4'],
] as const)('an open order with fills says %j if %s', (text, _, fields, sz) => {
  const row = must(rowsOf([entry('open', { ...ORDER, ...fields })])[0], 'row');
  expect(rowOutcome(row, filled(sz))).toBe(text);
});

it('a final order, an earlier entry of it, and one whose fills are not known say nothing by fills', () => {
  const rows = rowsOf([entry('open', ORDER, 1), entry('canceled', ORDER, 2), entry('open', { ...ORDER, oid: 8 }, 3)]);
  const [earlier, final, other] = rows.map((row) => rowOutcome(row, filled('0.1')));
  expect([earlier, final]).toEqual(['later: canceled', 'canceled, nothing filled']);
  expect(other).toBe('partly filled, by its fills (33.3 %)');
  const last = must(rows[2], 'row');
  for (const fills of [undefined, { kind: 'unknown', why: 'none' }] as const)
    expect(rowOutcome(last, fills)).toBe('resting, nothing filled');
});

it('an entry of the history without a status says nothing by fills', () => {
  const row = must(rowsOf([{ ...entry('open', ORDER), status: undefined }], 'historicalOrders')[0], 'row');
  expect(rowOutcome(row, filled('0.1'))).toBe('');
});
