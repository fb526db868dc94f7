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
interface RequestedPane {
  readonly pane: Computer;
  readonly params: never;
  compute: ReturnType<Computer['open']>;
  last: Computed | undefined;
}

export class RequestedPanes {
  readonly #requested = new Map<string, RequestedPane>();

  request(request: string): void {
    const [name, params] = JSON.parse(request) as [PaneName, unknown];
    const pane: Computer = PANES[name];
    // The page and the worker are of one build.
    this.#requested.set(request, { pane, params: params as never, compute: pane.open(), last: undefined });
  }

  end(request: string): void {
    this.#requested.delete(request);
  }

  reopen(): void {
    for (const requested of this.#requested.values()) {
      requested.compute = requested.pane.open();
      requested.last = undefined;
    }
  }

  /** The results that are new, all of this book; `isLater` if another one is due soon. */
  next(shown: Shown, generation: number, now: number): { readonly results: PaneResults; readonly isLater: boolean } {
    const { book, place, frozen } = shown;
    const { height } = shown.position;
    const results: Record<string, PaneResult> = {};
    let isLater = false;
    for (const [request, requested] of this.#requested) {
      const { pane, params, last } = requested;
      const isSameBook = last?.book === book;
      const isKnown = isSameBook && last.height === height && last.place === place;
      if (isKnown) continue;
      const { everyMs = 0 } = pane;
      // After the clock was set back, a last result of the future must not delay the next one.
      const isRecent = isSameBook && last.at <= now && now - last.at < everyMs;
      if (isRecent && !frozen) {
        isLater = true;
        continue;
      }
      requested.last = { book, place, height, at: now };
      const data = requested.compute(shown, params);
      if (data !== undefined)
        results[request] = { ...data, generation, height, frozen, sizeDecimals: sizeDecimalsOf(book) };
    }
    return { results, isLater };
  }
}
