import type { Figures } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';

export type { Figures, TouchFigures } from '@l4desk/insight';

export interface FiguresAsk {
  readonly serial: number;
  /** The step of the prices, where it is known. */
  readonly tick: DecimalString | undefined;
}

export interface FiguresResponse {
  readonly serial: number;
  /** The block it is of, and its time in ms. */
  readonly height: number;
  readonly time: number;
  /** Of the live book: what is kept of the last minute is made of these. */
  readonly live: boolean;
  /** Undefined of a book without both sides. */
  readonly figures: Figures | undefined;
}
