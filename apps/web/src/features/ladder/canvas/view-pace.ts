import type { DrawTurns } from '../../../book-worker/draw-turns.ts';

/** Time between two views: the accessible grid is updated at this pace. */
const VIEW_MS = 400;
/** A due view waits this long for the end of a frame. */
const FRAME_WAIT_MS = 100;

/** Reports what the pane shows to the UI around the canvas, a few times a second and in a separate frame. */
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
    if (this.#timer !== undefined) return;
    const due = this.#at + VIEW_MS + FRAME_WAIT_MS - performance.now();
    this.#timer = setTimeout(() => this.now(), Math.max(0, due));
  }

  /**
   * A frame was drawn: a due view gets its turn after it, in a frame that draws no block. The timer stays as a fallback if no
   * such frame comes.
   */
  behindFrame(): void {
    if (this.#timer !== undefined && performance.now() >= this.#at + VIEW_MS) this.#turns.add(this.#turn);
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
