import type { SortKey } from '../../ui/table/table-column.ts';

/** The values to sort rows by, one a row; a missing one is last in either direction. Strings are compared by code unit. */
export interface SortKeys {
  readonly values: readonly SortKey[];
  readonly descending: boolean;
}

/** The indexes of `length` rows, sorted by the first keys, then by the next ones; rows that are equal in all stay in order. */
export function sortedIndexes(length: number, keys: readonly SortKeys[]): Uint32Array {
  return Uint32Array.from({ length }, (_, at) => at).sort((a, b) => {
    for (const { values, descending } of keys) {
      const x = values[a];
      const y = values[b];
      if (x === y) continue;
      if (x === undefined) return 1;
      if (y === undefined) return -1;
      return x < y === descending ? 1 : -1;
    }
    return a - b;
  });
}
