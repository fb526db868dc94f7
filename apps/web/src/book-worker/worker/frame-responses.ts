import type { DecimalString } from '@l4desk/protocol';
import type { FrameAsk, FromWorker } from '../messages.ts';
import type { PanesFrame } from '../panes.ts';
import type { LadderView } from './ladder-view.ts';
import type { ShownBook } from './panes/pane-context.ts';

interface FrameResponsesDeps {
  /** Creates the view that computes and packs the rows of one more ladder. */
  readonly newView: () => LadderView;
  /** The book that every ladder reads; undefined before there is one. */
  readonly shown: () => ShownBook | undefined;
  /** The ticks of the book, finest first. */
  readonly ticks: () => readonly DecimalString[];
  readonly generation: () => number;
  /** The panes' part of a frame of the first ladder. */
  readonly panes: (shown: ShownBook, sizeDecimals: number) => PanesFrame;
  readonly post: (message: FromWorker, transfer: readonly ArrayBuffer[]) => void;
  /** A ladder became visible again. */
  readonly onWake: () => void;
}

/**
 * Responds to the ladders that show one book; each has at most one pending request. All read the same shown book; the panes'
 * content is sent with the rows of the first one.
 */
export class FrameResponses {
  readonly #deps: FrameResponsesDeps;
  readonly #views = new Map<number, LadderView>();
  readonly #asks = new Map<number, FrameAsk>();
  /** Ladders that are visible. */
  readonly #watched = new Set<number>();
  readonly #spares: ArrayBuffer[] = [];
  /** Increases with every change that a frame could show. */
  #version = 1;
  #resting = false;

  constructor(deps: FrameResponsesDeps) {
    this.#deps = deps;
  }

  /** No ladder of the page is visible. */
  get isResting(): boolean {
    return this.#resting;
  }

  ask(view: number, ask: FrameAsk, spare: ArrayBuffer | undefined): void {
    if (spare !== undefined) this.#spares.push(spare);
    this.#asks.set(view, ask);
    this.#watched.add(view);
    if (this.#resting) {
      this.#resting = false;
      this.#deps.onWake();
    }
    this.respond();
  }

  /** A ladder is hidden or closed. */
  rest(view: number): void {
    this.#asks.delete(view);
    this.#watched.delete(view);
    this.#resting = this.#watched.size === 0;
  }

  /** Another coin is followed: drops the pending requests about the last one. */
  forget(): void {
    this.#asks.clear();
  }

  /** Something that a frame could show has changed. */
  changed(): void {
    this.#version += 1;
    this.respond();
  }

  /** Responds to every pending request that it can. */
  respond(): void {
    // The first ladder before the others: the panes belong to its frame.
    for (const view of [...this.#asks.keys()].sort((a, b) => a - b)) this.#respondTo(view);
  }

  #respondTo(view: number): void {
    const ask = this.#asks.get(view);
    if (ask === undefined || ask.generation !== this.#deps.generation() || ask.after >= this.#version) return;
    const shown = this.#deps.shown();
    if (shown === undefined) return;
    const ticks = this.#deps.ticks();
    const tick = ticks.find((offered) => offered === ask.tick) ?? ticks[0];
    if (tick === undefined) return;
    const ladder = this.#viewOf(view);
    const buffer = ladder.frame(ask, tick, this.#version, shown, this.#spares.pop());
    if (buffer === undefined) return;
    this.#asks.delete(view);
    if (view > 0) return this.#deps.post({ kind: 'rows', view, buffer }, [buffer]);
    const panes = this.#deps.panes(shown, ladder.sizeDecimals(shown.book));
    this.#deps.post({ kind: 'frame', buffer, panes }, [buffer]);
  }

  #viewOf(view: number): LadderView {
    const known = this.#views.get(view);
    if (known !== undefined) return known;
    const made = this.#deps.newView();
    this.#views.set(view, made);
    return made;
  }
}
