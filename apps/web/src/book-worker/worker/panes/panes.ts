import type { PanesAsk, PanesFrame } from '../../panes.ts';
import { LevelPane } from './level-pane.ts';
import type { ShownBook } from './pane-context.ts';

/** What the panes of one frame share. */
export type PanesContext = Pick<PanesFrame, 'generation' | 'clock' | 'at' | 'sizeDecimals'>;

/** Every pane's half in the worker: keeps what the panes want, and answers all of them from the one shown book. */
export class Panes {
  #level = new LevelPane();
  #ask: PanesAsk = {};

  want(ask: PanesAsk): void {
    this.#ask = ask;
  }

  /** Another coin: nothing kept for the last one says anything about it. */
  forget(): void {
    this.#level = new LevelPane();
  }

  frame({ book, position, frozen }: ShownBook, context: PanesContext): PanesFrame {
    const { level } = this.#ask;
    return {
      ...position,
      ...context,
      coin: book.coin,
      frozen,
      best: { bid: book.best('B')?.px, ask: book.best('A')?.px },
      counts: {
        bids: book.orderCountOf('B'),
        asks: book.orderCountOf('A'),
        levels: book.levelCount('B') + book.levelCount('A'),
      },
      level: level && this.#level.answer(book, level),
    };
  }
}
