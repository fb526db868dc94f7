import type { LevelSort } from '../../../book-worker/panes/level.ts';

/** Columns that are hidden first when the panel is narrow, by the panel's own width. */
export const TIF = '@max-[440px]:hidden';
export const CUMULATIVE = '@max-[480px]:hidden';
export const NOTIONAL = '@max-[540px]:hidden';
export const OID = '@max-[680px]:hidden';

interface LevelColumn {
  readonly name: string;
  readonly text: string;
  readonly hint?: string;
  readonly look: string;
  readonly sort?: LevelSort;
}

export const LEVEL_COLUMNS: readonly LevelColumn[] = [
  {
    name: 'place',
    text: '#',
    hint: 'Its place in the queue, whatever the list is sorted by',
    look: 'w-11 text-right pl-2',
    sort: 'place',
  },
  { name: 'size', text: 'size', look: 'text-right', sort: 'sz' },
  { name: 'owner', text: 'owner', look: 'w-26 pl-3 text-left', sort: 'owner' },
  { name: 'oid', text: 'oid', look: `w-28 text-right ${OID}` },
  { name: 'age', text: 'age', look: 'w-16 text-right', sort: 'age' },
  { name: 'tif', text: 'tif', look: `w-11 pl-2 text-left ${TIF}` },
  { name: 'ahead', text: 'ahead', hint: 'Size in front of it in the queue', look: 'text-right' },
  {
    name: 'cumulative',
    text: 'cum',
    hint: 'Size of the listed orders down to this one',
    look: `text-right ${CUMULATIVE}`,
  },
  { name: 'notional', text: 'ntl', hint: 'Notional: price × size', look: `text-right pr-3 ${NOTIONAL}` },
];
