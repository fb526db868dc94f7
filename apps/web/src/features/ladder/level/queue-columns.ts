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

const AGE: LevelColumn = { name: 'age', text: 'age', look: 'pl-2 text-right', sort: 'age' };

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
  AGE,
  { name: 'tif', text: 'tif', look: 'pl-2 text-left' },
  { name: 'ahead', text: 'ahead', hint: 'Size in front of it in the queue', look: 'pl-2 text-right' },
  { name: 'cumulative', text: 'cum', hint: 'Size of the listed orders down to this one', look: 'pl-2 text-right' },
  { name: 'notional', text: 'ntl', hint: 'Notional: price × size', look: 'pl-2 pr-3 text-right' },
];

/** The column of the ages in a list by owner. */
const AGE_OR_COUNT: LevelColumn = {
  ...AGE,
  text: 'age / n',
  hint: 'Age of an order; number of orders of an owner',
};

/** Lengths of the longest texts of the columns in which they depend on the coin and the level. */
export type LevelLengths = Readonly<Record<'place' | 'size' | 'age' | 'ahead' | 'cumulative' | 'notional', number>>;

/** Columns that a narrow pane leaves out, the last one first. */
const OPTIONAL: readonly LevelColumnName[] = ['age', 'tif', 'cumulative', 'notional', 'oid'];

/** Columns that get up to `SPARE` px more before their numbers. Before a place is the edge of the pane. */
const SPACED: readonly LevelColumnName[] = ['size', 'oid', 'age', 'ahead', 'cumulative', 'notional'];

/**
 * Least padding before a number, what is added to it where there is room, and padding on both sides of the last column, px;
 * below, the least width and those of the fixed columns.
 */
const BEFORE = 8;
const SPARE = 8;
const AROUND = 20;
const LEAST = 44;
const OWNER = 100;
const OID = 108;
const TIF = 40;

/**
 * The columns for which a list of this width (px, 0 before it is laid out) has room: a number is never cut, and never touches its
 * neighbour. Spare width goes before the numbers first, then to the owners.
 */
export function fittingColumns(width: number, lengths: LevelLengths, isByOwner: boolean): readonly ShownColumn[] {
  const ageColumn = isByOwner ? AGE_OR_COUNT : AGE;
  const columns = LEVEL_COLUMNS.map((column) => (column === AGE ? ageColumn : column));
  const numbers = (length: number) => numberWidth(length, LEAST, BEFORE);
  const widths: Readonly<Record<LevelColumnName, number>> = {
    place: numbers(lengths.place),
    size: numbers(lengths.size),
    owner: OWNER,
    oid: OID,
    age: numbers(isByOwner ? Math.max(lengths.age, ageColumn.text.length) : lengths.age),
    tif: TIF,
    ahead: numbers(lengths.ahead),
    cumulative: numbers(lengths.cumulative),
    notional: numberWidth(lengths.notional, LEAST, AROUND),
  };
  const shownOf = (optional: number) => columns.filter(({ name }) => OPTIONAL.indexOf(name) < optional);
  const needed = (shown: readonly LevelColumn[]) => shown.reduce((sum, { name }) => sum + widths[name], 0);
  let optional = OPTIONAL.length;
  if (width > 0) while (optional > 0 && needed(shownOf(optional)) > width) optional -= 1;
  const shown = shownOf(optional);
  const spaced = shown.filter(({ name }) => SPACED.includes(name)).length;
  const spare = Math.max(0, Math.min(SPARE, Math.floor((width - needed(shown)) / spaced)));
  return shown.map((column) => ({
    ...column,
    width: column.name === 'owner' ? undefined : widths[column.name] + (SPACED.includes(column.name) ? spare : 0),
  }));
}
