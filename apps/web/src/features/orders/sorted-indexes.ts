import { parseBigUnits, parseUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { columnDecimals } from '../../ui/format.ts';

/** The values to sort rows by, one a row; a missing one is last in either direction. Strings are compared by code unit. */
export interface SortKeys {
  readonly values: readonly (number | bigint | string | undefined)[];
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

/** Numbers that sort like the decimals, exactly: bigints if a double cannot hold them. */
export function decimalKeys(texts: readonly (DecimalString | undefined)[]): SortKeys['values'] {
  const decimals = columnDecimals(texts.flatMap((text) => text ?? []));
  const units = texts.map((text) => text && parseUnits(text, decimals));
  const isExact = units.every((unit, at) => unit !== undefined || texts[at] === undefined);
  return isExact ? units : texts.map((text) => (text === undefined ? undefined : parseBigUnits(text, decimals)));
}
