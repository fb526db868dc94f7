import { expect, it } from 'vitest';
import { fittingColumns } from './queue-columns.ts';

/** Of a coin with sizes of eight digits, and of BTC. */
const LARGE = { place: 3, size: 12, age: 9, ahead: 14, cumulative: 14, notional: 9 };
const SMALL = { place: 5, size: 8, age: 4, ahead: 9, cumulative: 9, notional: 10 };

it.each([LARGE, SMALL])('[WEB-8] cuts no number of a level at any width, and leaves out columns instead', (lengths) => {
  let most = 0;
  for (let width = 320; width <= 1_200; width += 1) {
    const columns = fittingColumns(width, lengths);
    const names = columns.map(({ name }) => name);
    for (const name of ['place', 'size', 'owner', 'ahead']) expect(names).toContain(name);
    expect(names.length).toBeGreaterThanOrEqual(most);
    most = names.length;
    const fixed = columns.reduce((sum, column) => sum + (column.width ?? 100), 0);
    expect(names.length === 4 || fixed <= width, `${width} px`).toBe(true);
    for (const { name, width: room = 0 } of columns) {
      const length = name in lengths ? lengths[name as keyof typeof lengths] : 0;
      expect(room === 0 || room >= length * 7.2 + (name === 'notional' ? 20 : 8)).toBe(true);
    }
  }
  expect(most).toBe(9);
});

it('[WEB-8] has every column before the list is laid out', () => {
  expect(fittingColumns(0, LARGE)).toHaveLength(9);
});
