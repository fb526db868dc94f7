import { useState } from 'react';

/** A row of a list whose rows keep their places. */
export interface Held<Row> {
  readonly row: Row;
  /** It has kept its place, and the last response does not have it: its values are old. Undefined while it has. */
  readonly absence: 'gone' | 'unlisted' | undefined;
}

interface HeldListOptions<Row> {
  /** The rows of the last response, in its order. A stable list. */
  readonly rows: readonly Row[];
  readonly among?: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Whether a row that the response does not have is no more, instead of only not listed. Without it, nobody knows. */
  readonly isGone?: (row: Row) => boolean;
  readonly isHeld: boolean;
  /** What the list is of: another book or request has other rows. */
  readonly of: string;
  /** The block of the rows: one that an earlier block does not have yet is not absent. */
  readonly height: number;
  /** The most held rows. With more, they are listed anew. */
  readonly max: number;
}

/** The rows of a list, in the places that they had before while these are held. */
export function useHeldList<Row>(options: HeldListOptions<Row>): readonly Held<Row>[] {
  const [last, setLast] = useState<{ readonly options: HeldListOptions<Row>; readonly list: readonly Held<Row>[] }>();
  if (last?.options.rows === options.rows && last.options.isHeld === options.isHeld) return last.list;
  const isLater = last?.options.of === options.of && last.options.height <= options.height;
  const list = heldList(options.isHeld && isLater ? last.list : [], options);
  setLast({ options, list });
  return list;
}

/** The rows in the places in which they were listed `before`: new ones follow, and missing ones stay. */
export function heldList<Row>(
  before: readonly Held<Row>[],
  { rows, among = rows, keyOf, isGone, max }: Pick<HeldListOptions<Row>, 'rows' | 'among' | 'keyOf' | 'isGone' | 'max'>,
): readonly Held<Row>[] {
  const present = (row: Row): Held<Row> => ({ row, absence: undefined });
  const rest = new Map(rows.map((row) => [keyOf(row), row]));
  const known = new Map(among.map((row) => [keyOf(row), row]));
  const kept = before.map((last): Held<Row> => {
    const key = keyOf(last.row);
    rest.delete(key);
    const row = known.get(key);
    if (row !== undefined) return present(row);
    return { ...last, absence: last.absence === 'gone' || isGone?.(last.row) ? 'gone' : 'unlisted' };
  });
  return kept.length + rest.size > max ? rows.map(present) : [...kept, ...[...rest.values()].map(present)];
}
