import type { DecimalString } from '@l4desk/protocol';
import type { ShownBook } from './book-at.ts';
import type { BookMemory } from './book-memory.ts';
import type { Past } from './past/past.ts';

/** The book that the page is shown, live, held, past or recorded: all that ladders and panes compute from. */
export interface Shown extends ShownBook {
  /** The exchange's clock, which stands still while the book is held. */
  readonly clock: number;
  /** The ticks by which it can be grouped, finest first. */
  readonly ticks: readonly DecimalString[];
  /** The history that it belongs to: the kept minutes, or a recording. */
  readonly past: Past;
  /** What is retained of the live book between blocks. */
  readonly memory: BookMemory;
}

/** How the worker computes a pane of the shown book. */
export interface PaneComputer<Params, Data> {
  /** Ms between two results while the book is live, for a pane that need not follow every change of the page. */
  readonly everyMs?: number;
  /**
   * Returns the function that computes the pane; what it keeps from one result to the next is dropped with its book and history.
   * Undefined data leave the last result where it is. The parameters are the same object as long as the page requests the same.
   */
  open(): (shown: Shown, params: Params) => Data | undefined;
}
