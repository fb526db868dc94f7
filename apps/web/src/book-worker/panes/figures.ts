import type { Figures } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';

export type { Figures } from '@l4desk/insight';

export interface FiguresData {
  /** Time of the block, in ms. */
  readonly time: number;
  /** Undefined for a book that lacks a side. */
  readonly figures: Figures | undefined;
  /** The minutes before that block, oldest first, as far as they were seen. */
  readonly history: readonly Sample[];
}

/** The figures of one block that are drawn over time, as printed; null if the book had none. */
export interface Sample {
  /** Time of the block, in ms. */
  readonly time: number;
  readonly microprice: DecimalString | null;
  readonly spreadTicks: DecimalString | null;
  readonly topShare: DecimalString | null;
  /** By distance, nearest first. */
  readonly leans: readonly (DecimalString | null)[];
}
