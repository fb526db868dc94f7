/** A set of listeners, each called until it unsubscribes. */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** Returns the function that unsubscribes. */
  add(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
