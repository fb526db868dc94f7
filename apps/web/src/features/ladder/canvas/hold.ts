/** A pointer or a keyboard cursor that does not move holds the rows no longer than this. */
export const HOLD_MS = 10_000;

/** Keeps the rows where they are while somebody points at them: each movement holds them for a while longer (WEB-33). */
export class Hold {
  readonly #onEnd: () => void;
  /** Undefined once nobody needs the hold any more, and while there is none. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get isOn(): boolean {
    return this.#timer !== undefined;
  }

  /** A pointer moved or a key was pressed. */
  extend(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#onEnd();
    }, HOLD_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
