import { PANES } from '../panes/all-panes.ts';
import type { PaneData, PaneName, PaneResult, PaneResults } from '../panes.ts';
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
class RequestedPane {
  readonly #pane: Computer;
  readonly #params: never;
  #compute: ReturnType<Computer['open']>;
  #last: Computed | undefined;

  constructor(pane: Computer, params: unknown) {
    this.#pane = pane;
    // The page and the worker are of one build.
    this.#params = params as never;
    this.#compute = pane.open();
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

export class RequestedPanes {
  readonly #requested = new Map<string, RequestedPane>();

  request(request: string): void {
    const [name, params] = JSON.parse(request) as [PaneName, unknown];
    this.#requested.set(request, new RequestedPane(PANES[name], params));
  }

  end(request: string): void {
    this.#requested.delete(request);
  }

  reopen(): void {
    for (const pane of this.#requested.values()) pane.reopen();
  }

  /** The results that are new, of one request or of all; `isLater` if another one is due soon. */
  next(
    shown: Shown,
    {
      generation,
      now,
      only,
    }: { readonly generation: number; readonly now: number; readonly only?: string | undefined },
  ): { readonly results: PaneResults; readonly isLater: boolean } {
    const results: Record<string, PaneResult> = {};
    let isLater = false;
    for (const [request, pane] of this.#requested) {
      if (only !== undefined && request !== only) continue;
      const result = pane.next(shown, generation, now);
      if (result === 'later') isLater = true;
      else if (result !== undefined) results[request] = result;
    }
    return { results, isLater };
  }
}
