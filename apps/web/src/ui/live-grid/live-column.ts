import type { TitledColumn } from '../grid/grid-column.ts';
import type { Tone } from './canvas/grid-theme.ts';

/** A text of a cell. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly tone: Tone;
  /** Px. */
  readonly size: 11 | 12 | 13;
  /** In the number face, whose characters are all of one width. */
  readonly isNumber: boolean;
  /** Not shown while the privacy preference is on, until pointed at. */
  readonly isPrivate?: boolean;
}

/** The outline of a mark: what tells wallets of one colour apart. */
export type MarkOutline = 'plain' | 'striped' | 'dotted' | 'hollow';

/** A letter in a box: whose row it is. */
export interface MarkPart {
  readonly kind: 'mark';
  readonly letter: string;
  readonly tone: Tone;
  readonly outline: MarkOutline;
  readonly isPrivate?: boolean;
}

/** A bar behind the rest of its cell, from its left edge: it takes no room. */
export interface BarPart {
  readonly kind: 'bar';
  /** Of the cell's width, 0 to 1. */
  readonly share: number;
  readonly tone: Tone;
}

/** What a cell is drawn from, from left to right. The last text is cut where they do not fit. */
export type CellPart = TextPart | MarkPart | BarPart;

/** One column of a live grid: what its cells are drawn from is plain, for it goes to a worker. One of them may grow. */
export interface LiveColumn<Row> extends Omit<TitledColumn, 'widest'> {
  readonly parts: (row: Row) => readonly CellPart[];
  /** More about a cell, for its tooltip: read when the pointer is on it. */
  readonly hintOf?: (row: Row) => string | undefined;
}

/** A number as most cells have it. */
export const numberPart = (text: string, tone: Tone = 'text', size: TextPart['size'] = 12): TextPart => ({
  kind: 'text',
  text,
  tone,
  size,
  isNumber: true,
});

/** Words as most cells have them. */
export const wordsPart = (text: string, tone: Tone = 'text'): TextPart => ({
  kind: 'text',
  text,
  tone,
  size: 13,
  isNumber: false,
});

/** What a screen reader says of a cell. */
export const wordsOf = (parts: readonly CellPart[]): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');

/** Where a column is drawn, px. */
export interface DrawnColumn {
  readonly x: number;
  readonly width: number;
  readonly isEnd: boolean;
}

/** Where the columns are in a grid of this width, as the tracks of its heading lay them out. */
export function placeColumns(columns: readonly TitledColumn[], width: number): readonly DrawnColumn[] {
  const least = columns.reduce((sum, column) => sum + column.width, 0);
  if (columns.filter(({ grow }) => grow).length > 1) throw new Error('more than one column of a live grid grows');
  const rest = Math.max(0, width - least);
  let x = 0;
  return columns.map((column) => {
    const placed = { x, width: column.width + (column.grow ? rest : 0), isEnd: column.align === 'end' };
    x += placed.width;
    return placed;
  });
}
