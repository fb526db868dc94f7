import type { LevelSort } from '../../../book-worker/panes/level.ts';
import { numberWidth } from '../../../ui/number-width.ts';

export type LevelColumnName = 'place' | 'size' | 'owner' | 'oid' | 'age' | 'tif' | 'ahead' | 'cumulative' | 'notional';

interface LevelColumn {
  readonly name: LevelColumnName;
  readonly text: string;
  readonly hint?: string;
  readonly look: string;
  readonly sort?: LevelSort;
}

/** A column that is shown; `width` in px, undefined for the one that takes the rest. */
export interface ShownColumn extends LevelColumn {
  readonly width: number | undefined;
}

const LEVEL_COLUMNS: readonly LevelColumn[] = [
  {
    name: 'place',
    text: '#',
    hint: 'Its place in the queue, whatever the list is sorted by',
    look: 'text-right pl-2',
    sort: 'place',
  },
  { name: 'size', text: 'size', look: 'pl-2 text-right', sort: 'sz' },
  { name: 'owner', text: 'owner', look: 'pl-3 text-left', sort: 'owner' },
  { name: 'oid', text: 'oid', look: 'pl-2 text-right' },
  { name: 'age', text: 'age', look: 'pl-2 text-right', sort: 'age' },
  { name: 'tif', text: 'tif', look: 'pl-2 text-left' },
  { name: 'ahead', text: 'ahead', hint: 'Size in front of it in the queue', look: 'pl-2 text-right' },
  { name: 'cumulative', text: 'cum', hint: 'Size of the listed orders down to this one', look: 'pl-2 text-right' },
  { name: 'notional', text: 'ntl', hint: 'Notional: price × size', look: 'pl-2 pr-3 text-right' },
];

/** Lengths of the longest texts of the columns in which they depend on the coin and the level. */
export type LevelLengths = Readonly<Record<'place' | 'size' | 'age' | 'ahead' | 'cumulative' | 'notional', number>>;

/** Columns that a narrow pane leaves out, the last one first. */
const OPTIONAL: readonly LevelColumnName[] = ['age', 'tif', 'cumulative', 'notional', 'oid'];

/** Padding before a number, and on both sides of the last column, px; below, the least width and those of the fixed columns. */
const BEFORE = 8;
const AROUND = 20;
const LEAST = 44;
const OWNER = 100;
const OID = 108;
const TIF = 40;

/**
 * The columns for which a list of this width (px, 0 before it is laid out) has room: a number is never cut, and never touches its
 * neighbour.
 */
export function fittingColumns(width: number, lengths: LevelLengths): readonly ShownColumn[] {
  const numbers = (length: number) => numberWidth(length, LEAST, BEFORE);
  const widths: Readonly<Record<LevelColumnName, number>> = {
    place: numbers(lengths.place),
    size: numbers(lengths.size),
    owner: OWNER,
    oid: OID,
    age: numbers(lengths.age),
    tif: TIF,
    ahead: numbers(lengths.ahead),
    cumulative: numbers(lengths.cumulative),
    notional: numberWidth(lengths.notional, LEAST, AROUND),
  };
  const isKept = ({ name }: LevelColumn, optional: number) => OPTIONAL.indexOf(name) < optional;
  const needed = (optional: number) =>
    LEVEL_COLUMNS.reduce((sum, column) => sum + (isKept(column, optional) ? widths[column.name] : 0), 0);
  let optional = OPTIONAL.length;
  if (width > 0) while (optional > 0 && needed(optional) > width) optional -= 1;
  return LEVEL_COLUMNS.filter((column) => isKept(column, optional)).map((column) => ({
    ...column,
    width: column.name === 'owner' ? undefined : widths[column.name],
  }));
}
