/** Returns a function that does this only when it is first called. */
export function once(run: () => void): () => void {
  let todo: (() => void) | undefined = run;
  return () => {
    const first = todo;
    todo = undefined;
    first?.();
  };
}

/** A set of listeners, each called until it unsubscribes. */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  add(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
