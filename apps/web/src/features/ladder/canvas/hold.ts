/** A pointer or keyboard cursor that does not move holds the rows for at most this long. */
export const HOLD_MS = 10_000;

/** Keeps the rows in place while somebody points at them: each movement extends the hold. */
export class Hold {
  readonly #onEnd: () => void;
  /** Undefined while there is no hold. */
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
