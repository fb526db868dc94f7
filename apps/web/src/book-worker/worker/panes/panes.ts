import type { PanesAsk, PanesFrame } from '../../panes.ts';
import { LevelPane } from './level-pane.ts';
import type { ShownBook } from './pane-context.ts';
import { figuresPane, ownersPane, sweepPane } from './slow-panes.ts';

/** What the panes of one frame share. */
export type PanesContext = Pick<PanesFrame, 'generation' | 'clock' | 'at' | 'sizeDecimals'>;

export interface PanesDeps {
  /** Calls `task` once after a time. */
  later(task: () => void, ms: number): void;
  /** A slow pane has its turn: another frame is wanted, though no block came. */
  onDue(): void;
}

/** Every pane's half in the worker: keeps what the panes want, and answers all of them from the one shown book. */
export class Panes {
  readonly #deps: PanesDeps;
  #level = new LevelPane();
  #owners = ownersPane();
  #figures = figuresPane();
  #sweep = sweepPane();
  #ask: PanesAsk = {};
  #isDueSet = false;

  constructor(deps: PanesDeps) {
    this.#deps = deps;
  }

  want(ask: PanesAsk): void {
    this.#ask = ask;
  }

  /** Another coin: nothing kept for the last one says anything about it. */
  forget(): void {
    this.#level = new LevelPane();
    this.#owners = ownersPane();
    this.#figures = figuresPane();
    this.#sweep = sweepPane();
  }

  frame(shown: ShownBook, context: PanesContext): PanesFrame {
    const { book, position, frozen } = shown;
    const { level, owners, figures, sweep } = this.#ask;
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
      owners: this.#ifDue(this.#owners.answer(shown, owners, context)),
      figures: this.#ifDue(this.#figures.answer(shown, figures, context)),
      sweep: this.#ifDue(this.#sweep.answer(shown, sweep, context)),
    };
  }

  /** Loop "slow panes": one timer at a time, and only while a pane has something newer to say. */
  #ifDue<Answer>(turn: { readonly answer: Answer } | { readonly dueInMs: number } | undefined): Answer | undefined {
    if (turn === undefined) return undefined;
    if ('answer' in turn) return turn.answer;
    if (!this.#isDueSet) {
      this.#isDueSet = true;
      this.#deps.later(() => {
        this.#isDueSet = false;
        this.#deps.onDue();
      }, turn.dueInMs);
    }
    return undefined;
  }
}
