/** Pending requests to the worker, each with one response, by serial. */
export class Requests<Value> {
  readonly #waiting = new Map<number, (response: Value) => void>();

  /** Registers the request, calls `send`, and resolves to the response with this serial. */
  ask(serial: number, send: () => void): Promise<Value> {
    return new Promise((resolve) => {
      this.#waiting.set(serial, resolve);
      send();
    });
  }

  /** Resolves the request of this serial. */
  settle(serial: number, response: Value): void {
    this.#waiting.get(serial)?.(response);
    this.#waiting.delete(serial);
  }

  /** No more responses will arrive: resolves every pending request with this one. */
  settleAll(response: Value): void {
    for (const resolve of this.#waiting.values()) resolve(response);
    this.#waiting.clear();
  }
}
