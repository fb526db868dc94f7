/** Time between two views: the accessible twin follows at this pace. */
const VIEW_MS = 400;
/** A view that is due waits this long for a frame to come behind. */
const FRAME_WAIT_MS = 100;

/** Tells the chrome around the canvas what the pane shows, a few times a second and where it costs no frame. */
export class ViewPace {
  readonly #tell: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = 0;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** Something else is shown. */
  want(): void {
    if (this.#timer !== undefined) return;
    const due = this.#at + VIEW_MS + FRAME_WAIT_MS - performance.now();
    this.#timer = setTimeout(() => this.now(), Math.max(0, due));
  }

  /** Right behind a drawn frame there is the most time until the next one: the view goes there if it is due. */
  behindFrame(): void {
    if (this.#timer === undefined || performance.now() < this.#at + VIEW_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now());
  }

  now(): void {
    this.close();
    this.#at = performance.now();
    this.#tell();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
