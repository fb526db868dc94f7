import { PANES } from '../panes/all-panes.ts';
import type { PaneData, PaneName, PaneResult } from '../panes.ts';
import { sizeDecimalsOf } from './book-at.ts';
import type { PaneComputer, Shown } from './shown.ts';

interface Computed {
  readonly book: Shown['book'];
  readonly place: number | undefined;
  readonly height: number;
  readonly at: number;
}

/** Any of the panes: what it takes and returns depends on its name. */
type Computer = PaneComputer<never, PaneData<PaneName>>;

/** One request of the page: computed for every shown block, but not twice for the same, nor more often than the pane says. */
export class RequestedPane {
  readonly #pane: Computer;
  readonly #params: never;
  #compute: ReturnType<Computer['open']>;
  #last: Computed | undefined;

  /** `request` is a name and parameters (`paneRequest`). */
  constructor(request: string) {
    // The page and the worker are of one build.
    const [name, params] = JSON.parse(request) as [PaneName, never];
    this.#pane = PANES[name];
    this.#params = params;
    this.#compute = this.#pane.open();
  }

  reopen(): void {
    this.#compute = this.#pane.open();
    this.#last = undefined;
  }

  /** The result for the shown book; `later` if it is not due yet; undefined if there is nothing new. */
  next(shown: Shown, generation: number, now: number): PaneResult | 'later' | undefined {
    const { book, place, frozen } = shown;
    const { height } = shown.position;
    const { everyMs = 0 } = this.#pane;
    const last = this.#last;
    const isSameBook = last?.book === book;
    if (isSameBook && last.height === height && last.place === place) return undefined;
    // A clock that was set back must not lengthen the wait.
    if (isSameBook && !frozen && Math.min(everyMs, last.at + everyMs - now) > 0) return 'later';
    this.#last = { book, place, height, at: now };
    const data = this.#compute(shown, this.#params);
    return data && { ...data, generation, height, frozen, sizeDecimals: sizeDecimalsOf(book) };
  }
}
