import { expect, it } from 'vitest';
import { fittingColumns } from './queue-columns.ts';

/** Of a coin with sizes of eight digits, and of BTC. */
const LARGE = { place: 3, size: 12, age: 9, ahead: 14, cumulative: 14, notional: 9 };
const SMALL = { place: 5, size: 8, age: 4, ahead: 9, cumulative: 9, notional: 10 };

it.each([LARGE, SMALL])('cuts no number of a level at any width, and leaves out columns instead', (lengths) => {
  let most = 0;
  for (let width = 320; width <= 1_200; width += 1) {
    const columns = fittingColumns(width, lengths, false);
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

it('has every column before the list is laid out', () => {
  expect(fittingColumns(0, LARGE, false)).toHaveLength(9);
});

it.each([LARGE, SMALL])(
  'has up to 16 px before each number where there is room, and leaves the rest to the owners',
  (lengths) => {
    /** What is left in a column before its longest number, px. */
    const before = (width: number) =>
      fittingColumns(width, lengths, false).flatMap(({ name, width: room = 0 }) =>
        name in lengths && name !== 'place'
          ? [room - Math.ceil(lengths[name as keyof typeof lengths] * 7.25) - (name === 'notional' ? 12 : 0)]
          : [],
      );
    const wide = before(1_200);
    expect(wide).toHaveLength(5);
    for (const px of wide) expect(px).toBeGreaterThanOrEqual(16);
    expect(Math.min(...wide)).toBe(16);
    const fixed = (width: number) =>
      fittingColumns(width, lengths, false).reduce((sum, { width: own = 0 }) => sum + own, 0);
    expect(fixed(2_000), 'no more than that').toBe(fixed(1_200));
    for (let width = 320; width <= 1_200; width += 1) {
      const columns = fittingColumns(width, lengths, false);
      expect(columns.length === 4 || width - fixed(width) >= 100, `${width} px`).toBe(true);
      const isWidening = columns.length === 9 && fixed(width) < fixed(1_200);
      expect(!isWidening || width - fixed(width) < 106, `${width} px`).toBe(true);
    }
  },
);

it('says that the column of the ages shows numbers of orders in a list by owner, and has room for it', () => {
  const age = (isByOwner: boolean) => fittingColumns(0, SMALL, isByOwner).find(({ name }) => name === 'age');
  expect(age(false)).toMatchObject({ text: 'age', width: 44 });
  expect(age(true)).toMatchObject({ text: 'age / n', width: 59 });
});
