import type { LadderFrame, LadderRequest } from '../ladder-frame.ts';
import { type LaneOrder, laneOrder } from '../panes/level.ts';
import type { LevelRef } from '../position.ts';
import type { LadderView } from './ladder-view.ts';
import type { Marks } from './marks.ts';
import type { Shown } from './shown.ts';

/** The shown book, as a canvas in the worker reads it: always at its newest block. */
export interface CanvasBook {
  shown(): Shown | undefined;
  readonly marks: Marks;
  rows(request: LadderRequest): LadderFrame | undefined;
  /** An order of a row: the one at a place, or the one with this oid. */
  lane(level: LevelRef, at: { readonly place: number; readonly oid: number | undefined }): LaneOrder | undefined;
  /** The exchange's clock now, by which ages are counted; it stands still while the book is held. */
  clock(): number;
  /** Calls `onChange` when there is something else to draw; `isOther` if what was drawn is of another book. Ends with `end`. */
  listen(onChange: (isOther: boolean) => void): void;
  end(): void;
}

interface CanvasesDeps {
  readonly newView: () => LadderView;
  readonly shown: () => Shown | undefined;
  readonly marks: Marks;
}

/** The canvases that are painted in the worker. While the page is hidden they are not told of changes. */
export class Canvases {
  readonly #deps: CanvasesDeps;
  readonly #listeners = new Map<CanvasBook, (isOther: boolean) => void>();
  #isVisible = true;

  constructor(deps: CanvasesDeps) {
    this.#deps = deps;
  }

  open(): CanvasBook {
    const { shown, marks, newView } = this.#deps;
    const view = newView();
    const book: CanvasBook = {
      shown,
      marks,
      rows: (request) => {
        const now = shown();
        const tick = now?.ticks.find((one) => one === request.tick) ?? now?.ticks[0];
        return now === undefined || tick === undefined ? undefined : view.frame(request, tick, now);
      },
      lane: (level, at) => {
        const now = shown();
        return now && laneOrder(now.book, level, at);
      },
      clock: () => shown()?.clock ?? 0,
      listen: (onChange) => void this.#listeners.set(book, onChange),
      end: () => void this.#listeners.delete(book),
    };
    return book;
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.changed();
  }

  changed(isOther = false): void {
    if (!this.#isVisible && !isOther) return;
    for (const listener of this.#listeners.values()) listener(isOther);
  }
}
