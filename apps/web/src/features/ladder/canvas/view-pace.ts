import type { DrawTurns } from '../../../book-worker/draw-turns.ts';

/** Time between two views: the accessible twin follows at this pace. */
const VIEW_MS = 400;
/** A view that is due waits this long for a frame to come behind. */
const FRAME_WAIT_MS = 100;

/** Tells the chrome around the canvas what the pane shows, a few times a second and in a frame of its own. */
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

  /** Something else is shown. */
  want(): void {
    if (this.#timer !== undefined) return;
    const due = this.#at + VIEW_MS + FRAME_WAIT_MS - performance.now();
    this.#timer = setTimeout(() => this.now(), Math.max(0, due));
  }

  /** A frame was drawn: after it, where none draws a block, the view has its turn if it is due. The timer stays, should none come. */
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
