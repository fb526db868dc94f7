import type { PaneData, PaneName, PaneParams, PaneResult } from '../../panes.ts';
import { sizeDecimalsOf } from '../book-at.ts';
import type { Shown } from '../shown.ts';

/** How the worker computes a pane. */
export interface PaneComputer<Name extends PaneName> {
  /** Ms between two results while the book is live, for a pane that need not follow every change of the page. */
  readonly everyMs?: number;
  /**
   * Returns the function that computes the pane; what it keeps from one result to the next is dropped with its book and history.
   * Undefined data leave the last result where it is. The parameters are the same object as long as the page requests the same.
   */
  open(): (shown: Shown, params: PaneParams<Name>) => PaneData<Name> | undefined;
}

/** What a result was computed for, and when. */
interface Computed {
  readonly book: Shown['book'];
  readonly place: number | undefined;
  readonly height: number;
  /** Of a recording more may be read around the same block. */
  readonly readTo: number | undefined;
  readonly at: number;
}

/** One request of the page: computed for every shown block, but not twice for the same, nor more often than the pane says. */
export class RequestedPane {
  readonly #pane: PaneComputer<PaneName>;
  readonly #params: never;
  #compute: ReturnType<PaneComputer<PaneName>['open']>;
  #last: Computed | undefined;

  constructor(pane: PaneComputer<PaneName>, params: unknown) {
    this.#pane = pane;
    // The page and the worker are of one build.
    this.#params = params as never;
    this.#compute = pane.open();
  }

  /** The book or its history is another one: nothing computed so far is valid. */
  reopen(): void {
    this.#compute = this.#pane.open();
    this.#last = undefined;
  }

  /** The result for the shown book; `later` if it is not due yet; undefined if there is nothing new. */
  next(shown: Shown, generation: number, now: number): PaneResult | 'later' | undefined {
    const { book, place, frozen, past } = shown;
    const { height } = shown.position;
    const { everyMs = 0 } = this.#pane;
    const last = this.#last;
    const readTo = past.recorded?.line.last;
    const isSameBook = last !== undefined && last.book === book && last.readTo === readTo;
    if (isSameBook && last.height === height && last.place === place) return undefined;
    // A clock that was set back must not lengthen the wait.
    if (isSameBook && !frozen && Math.min(everyMs, last.at + everyMs - now) > 0) return 'later';
    this.#last = { book, place, height, readTo, at: now };
    const data = this.#compute(shown, this.#params);
    return data && { ...data, generation, height, frozen, sizeDecimals: sizeDecimalsOf(book) };
  }
}
