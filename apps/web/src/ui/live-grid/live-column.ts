import type { Tone } from '../draw/draw-theme.ts';
import type { TitledColumn } from '../grid/grid-column.ts';

/** A text in a cell. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly tone: Tone;
  /** Font size, px. */
  readonly size: 11 | 12 | 13;
  /** Whether it uses the number font, whose characters are all of equal width. */
  readonly isNumber: boolean;
  /** Hidden while the privacy preference is on, until the pointer is on it. */
  readonly isPrivate?: boolean;
}

/** The outline of a mark: distinguishes wallets of one colour. */
export type MarkOutline = 'plain' | 'striped' | 'dotted' | 'hollow';

/** A letter in a box that identifies the owner of the row. */
export interface MarkPart {
  readonly kind: 'mark';
  readonly letter: string;
  readonly tone: Tone;
  readonly outline: MarkOutline;
  readonly isPrivate?: boolean;
}

/** A bar behind the rest of its cell, from the cell's left edge; it takes up no width. */
export interface BarPart {
  readonly kind: 'bar';
  /** Length as a part of the cell's width, 0 to 1. */
  readonly share: number;
  readonly tone: Tone;
}

/** The parts of a cell, from left to right. If they do not fit, the last text is cut. */
export type CellPart = TextPart | MarkPart | BarPart;

/** One column of a live grid. Its parts are plain data, because they are sent to a worker. At most one column may grow. */
export interface LiveColumn<Row> extends Omit<TitledColumn, 'widest'> {
  readonly parts: (row: Row) => readonly CellPart[];
  /** The tooltip of a cell; computed when the pointer is over it. */
  readonly hintOf?: (row: Row) => string | undefined;
}

/** A number in the usual style of a cell. */
export const numberPart = (text: string, tone: Tone = 'text', size: TextPart['size'] = 12): TextPart => ({
  kind: 'text',
  text,
  tone,
  size,
  isNumber: true,
});

/** Words in the usual style of a cell. */
export const wordsPart = (text: string, tone: Tone = 'text'): TextPart => ({
  kind: 'text',
  text,
  tone,
  size: 13,
  isNumber: false,
});

/** The text of a cell for screen readers. */
export const wordsOf = (parts: readonly CellPart[]): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');

/** The position of a column, px. */
export interface DrawnColumn {
  readonly x: number;
  readonly width: number;
  readonly isEnd: boolean;
}

/** The positions of the columns in a grid of this width, equal to the tracks of its heading. */
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
