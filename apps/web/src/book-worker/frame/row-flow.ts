import type { FlowKind, RowMoved } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';
import { FLOW_COLUMNS, type FlowColumn, type FlowSpan } from '../../state/flow-columns.ts';

/** The changes that a ladder's rows carry: the chosen columns, over the last `spanMs`; 0 for the shown block alone. */
export interface FlowAsk {
  readonly columns: readonly FlowColumn[];
  readonly spanMs: number;
}

export const SPANS_MS: Readonly<Record<FlowSpan, number>> = { block: 0, 5: 5_000, 60: 60_000 };

/** What a frame says of the changes in its rows. */
export interface FrameFlow {
  readonly spanMs: number;
  /** How much of the span is known, in ms; undefined for a block whose changes are not known. */
  readonly knownMs: number | undefined;
  /** The columns, as `flowBits` writes them. */
  readonly bits: number;
}

/** The kinds of change that a column sums. */
const KINDS: Readonly<Record<FlowColumn, readonly FlowKind[]>> = {
  came: ['added', 'requotedIn', 'grown'],
  withdrawn: ['cancelled', 'requotedOut', 'shrunk'],
  added: ['added', 'grown'],
  cancelled: ['cancelled'],
  shrunk: ['shrunk'],
  executed: ['executed'],
  requotedIn: ['requotedIn'],
  requotedOut: ['requotedOut'],
};

/** Follows a size of which some is inferred. */
const INFERRED = '*';

/** The chosen columns as a number, one bit each: they are drawn in the order of `FLOW_COLUMNS`. */
export function flowBits(columns: readonly FlowColumn[]): number {
  return FLOW_COLUMNS.reduce((bits, column, at) => bits | (columns.includes(column) ? 1 << at : 0), 0);
}

const listed = new Map<number, readonly FlowColumn[]>();

/** The same list for the same bits. */
export function columnsOfBits(bits: number): readonly FlowColumn[] {
  let columns = listed.get(bits);
  if (columns === undefined) {
    columns = FLOW_COLUMNS.filter((_, at) => (bits & (1 << at)) !== 0);
    listed.set(bits, columns);
  }
  return columns;
}

/** What moved at a row, as the frame carries it: a size for each of the columns; empty if nothing moved in any of them. */
export function packRowFlow(moved: RowMoved | undefined, columns: readonly FlowColumn[]): string {
  if (moved === undefined) return '';
  let isNothing = true;
  const sizes = columns.map((column) => {
    const size = moved.size(KINDS[column]);
    if (size !== '0') isNothing = false;
    return column === 'executed' && moved.isInferred ? `${size}${INFERRED}` : size;
  });
  return isNothing ? '' : sizes.join(' ');
}

/** What moved at a row in one of the columns. */
export interface MovedSize {
  readonly sz: DecimalString;
  /** Whether some of it is inferred. */
  readonly isInferred: boolean;
}

/** Reads what `packRowFlow` wrote: a size for each column; empty if nothing moved. */
export function readRowFlow(text: string): readonly MovedSize[] {
  if (text === '') return [];
  return text.split(' ').map((size) => {
    const isInferred = size.endsWith(INFERRED);
    return { sz: (isInferred ? size.slice(0, -1) : size) as DecimalString, isInferred };
  });
}
