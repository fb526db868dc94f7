import type { LadderFrame, LadderRequest } from '../ladder-frame.ts';
import type { CanvasName } from '../messages.ts';
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

/** About one frame of the screen. */
const FRAME_MS = 16;

/** How long after a block its ladders may still be drawn. */
const DRAWING_MS = 40;

interface CanvasesDeps {
  readonly now: () => number;
  readonly later: (task: () => void, ms: number) => void;
  readonly newView: () => LadderView;
  readonly shown: () => Shown | undefined;
  readonly marks: Marks;
}

/** The canvases that are painted in the worker. While the page is hidden they learn of no changes. */
export class Canvases {
  readonly #deps: CanvasesDeps;
  readonly #listeners = new Map<CanvasBook, (isOther: boolean) => void>();
  readonly #ladders = new Set<CanvasBook>();
  #isVisible = true;
  /** When the ladders were last notified of a block. */
  #blockAt = Number.NEGATIVE_INFINITY;

  constructor(deps: CanvasesDeps) {
    this.#deps = deps;
  }

  open(name: CanvasName): CanvasBook {
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
      listen: (onChange) => {
        this.#listeners.set(book, onChange);
        if (name === 'ladder') this.#ladders.add(book);
      },
      end: () => {
        this.#listeners.delete(book);
        this.#ladders.delete(book);
      },
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

  /**
   * A block was applied. Every second ladder is notified of it a frame later: drawn together, they would make that frame late and leave the
   * three before the next block without work.
   */
  onBlock(): void {
    if (!this.#isVisible) return;
    const { now, later } = this.#deps;
    const second = new Set([...this.#ladders].filter((_, at) => at % 2 === 1));
    for (const [book, listener] of this.#listeners) if (!second.has(book)) listener(false);
    if (second.size > 0) later(() => this.#notify(second), FRAME_MS);
    if (this.#ladders.size > 0) this.#blockAt = now();
  }

  /** For how long something else would make the frame of a ladder late. */
  get drawingMs(): number {
    return Math.min(DRAWING_MS, Math.max(0, this.#blockAt + DRAWING_MS - this.#deps.now()));
  }

  #notify(books: Iterable<CanvasBook>): void {
    for (const book of books) this.#listeners.get(book)?.(false);
  }
}
