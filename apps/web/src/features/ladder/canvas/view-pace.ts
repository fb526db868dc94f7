import type { DrawTurns } from '../../../book-worker/draw-turns.ts';

/** Shortest time between two views: the accessible grid is updated at this pace. */
const VIEW_MS = 400;

/** Reports what the pane shows to the UI around the canvas, a few times a second and in a frame that draws no block. */
export class ViewPace {
  readonly #turns: DrawTurns;
  readonly #tell: () => void;
  readonly #turn = () => this.now();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = 0;

  constructor(turns: DrawTurns, tell: () => void) {
    this.#turns = turns;
    this.#tell = tell;
  }

  /** What is shown has changed. */
  want(): void {
    // Added again, because the page may have been hidden meanwhile: then there are no turns, and it is reported at once.
    if (this.#turns.isDue(this.#turn)) return this.#turns.add(this.#turn);
    if (this.#timer !== undefined) return;
    const due = this.#at + VIEW_MS - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#turns.add(this.#turn);
      },
      Math.max(0, due),
    );
  }

  now(): void {
    this.close();
    this.#at = performance.now();
    this.#tell();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#turns.remove(this.#turn);
  }
}
