import { figures as figuresOf } from '@l4desk/insight';
import type { PaneComputer } from './pane.ts';

/** The figures of the book, and their last minutes. */
export const figures: PaneComputer<'figures'> = {
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
