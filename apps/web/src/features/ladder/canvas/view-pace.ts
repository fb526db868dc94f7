/** Shortest time between two views: the accessible grid is updated at this pace. */
const VIEW_MS = 400;

/** Reports what the pane shows to the UI around the canvas, a few times a second. */
export class ViewPace {
  readonly #tell: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = 0;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** What is shown has changed. */
  want(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.now(), Math.max(0, this.#at + VIEW_MS - performance.now()));
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
