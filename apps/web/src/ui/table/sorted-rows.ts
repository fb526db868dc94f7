import { parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { SortKey, TableColumn, TableSort } from './table-column.ts';

/** The rows in the order of a column with `sortBy`; as they are without an order. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sort: TableSort | undefined,
): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === sort?.column)?.sortBy;
  return sort === undefined || sortBy === undefined ? rows : sortedBy(rows, sortBy, sort.descending);
}

/** A sorted copy; rows without a key come last in both directions, and equal rows keep their order. */
export function sortedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => SortKey, descending: boolean): readonly Row[] {
  const sign = descending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    if (typeof a === 'string' && typeof b === 'string') return sign * WORDS.compare(a, b);
    return a < b ? -sign : a > b ? sign : 0;
  });
  return keyed.map(({ row }) => row);
}

/** The order of words in lists: digits by their value, whatever the letters' case. */
export const WORDS = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Keys are in units of 10⁻³⁶: more decimals than any token has. */
const KEY_SCALE = 36;

/** An exact sort key of an amount. */
export function unitsOf(value: DecimalString | undefined): bigint | undefined {
  return value === undefined ? undefined : parseBigUnits(value, Math.max(KEY_SCALE, significantDecimalsOf(value)));
}
