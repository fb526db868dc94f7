import { decimalsOf, parseBigUnits, parseUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';

/** A column of decimals as whole numbers of `10^-scale`. `exact` is false if some do not fit; the numbers are then not used. */
export interface DecimalUnits {
  readonly texts: readonly DecimalString[];
  readonly units: Float64Array;
  readonly scale: number;
  /** Number of characters of the longest integer part. */
  readonly whole: number;
  readonly exact: boolean;
}

/** Parses a column once. An amount that was not reported counts as zero. */
export function decimalUnits(amounts: readonly (DecimalString | undefined)[]): DecimalUnits {
  const texts = amounts.map((amount) => amount ?? '0');
  let scale = 0;
  let whole = 0;
  for (const text of texts) {
    const decimals = decimalsOf(text);
    if (decimals > scale) scale = decimals;
    whole = Math.max(whole, decimals === 0 ? text.length : text.length - decimals - 1);
  }
  const units = new Float64Array(texts.length);
  let exact = true;
  for (let at = 0; at < texts.length && exact; at++) {
    const value = parseUnits(texts[at] ?? '', scale);
    if (value === undefined) exact = false;
    else units[at] = value;
  }
  return { texts, units, scale, whole, exact };
}

/**
 * Sort keys for the values of all columns together: whole numbers from 0, equal for equal values, whatever their number of
 * decimals. Exact at any length: values that a double cannot hold are ranked by bigint.
 */
export function decimalKeys(columns: readonly DecimalUnits[]): Float64Array {
  const length = columns.reduce((total, column) => total + column.texts.length, 0);
  const scale = columns.reduce((most, column) => Math.max(most, column.scale), 0);
  const keys = new Float64Array(length);
  let start = 0;
  for (const { exact, units, scale: own } of columns) {
    if (!exact) return rankedKeys(columns, length, scale);
    scaleUnits(units, 10 ** (scale - own), keys, start);
    start += units.length;
  }
  let least = 0;
  let most = 0;
  for (let at = 0; at < length; at++) {
    const key = keys[at] ?? 0;
    if (key < least) least = key;
    if (key > most) most = key;
  }
  if (most - least > Number.MAX_SAFE_INTEGER) return rankedKeys(columns, length, scale);
  if (least < 0) for (let at = 0; at < length; at++) keys[at] = (keys[at] ?? 0) - least;
  return keys;
}

function scaleUnits(units: Float64Array, factor: number, keys: Float64Array, start: number): void {
  for (let at = 0; at < units.length; at++) keys[start + at] = (units[at] ?? 0) * factor;
}

function rankedKeys(columns: readonly DecimalUnits[], length: number, scale: number): Float64Array {
  const values = columns.flatMap(({ texts }) => texts.map((text) => parseBigUnits(text, scale) ?? 0n));
  const distinct = [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const rank = new Map(distinct.map((value, at) => [value, at]));
  const keys = new Float64Array(length);
  for (const [at, value] of values.entries()) keys[at] = rank.get(value) ?? 0;
  return keys;
}
