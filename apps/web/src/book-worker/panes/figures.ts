import { type Figures, figures as figuresOf } from '@l4desk/insight';
import type { Sample } from '../worker/figures-history.ts';
import type { PaneComputer } from '../worker/shown.ts';

export type { Figures } from '@l4desk/insight';
export type { Sample } from '../worker/figures-history.ts';

export interface FiguresData {
  readonly time: number;
  readonly figures: Figures | undefined;
  /** The minutes before that block, oldest first, as far as they were seen. */
  readonly history: readonly Sample[];
}

export const figures: PaneComputer<object, FiguresData> = {
  open:
    () =>
    ({ book, position, frozen, ticks, memory }) => {
      const { blockTime: time } = position;
      const now = figuresOf(book, ticks[0], memory.near);
      const history = memory.figures;
      // A block of another time was not seen live: of a recording, or before this page was opened.
      if (frozen && history.isDue(time)) history.note(time, now);
      return { time, figures: now, history: history.upTo(time, now) };
    },
};
